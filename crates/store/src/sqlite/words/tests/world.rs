//! A shop with an engine of its own, in a folder that goes with it.

use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;
use valetkey_resources::ports::{ListPlan, Listing, Rows};
use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::conformance::resources::Shop;
use valetkey_testkit::conformance::resources::lists::by_id;

use crate::sqlite::{self, Sqlite};

pub(in crate::sqlite) struct World {
    pub(in crate::sqlite) engine: Arc<Sqlite>,
    pub(in crate::sqlite) shop: Shop,
    folder: TempDir,
}

impl World {
    pub(in crate::sqlite) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("valetkey.db");
        sqlite::migrate(&path, |_| {}).unwrap();
        sqlite::api_shape::apply(&path, &shop(), &[], &mut |_, _, _| {}).unwrap();
        Self::over(folder)
    }

    fn over(folder: TempDir) -> Self {
        let engine = Sqlite::open(&folder.path().join("valetkey.db")).unwrap();
        Self { shop: Shop::new(engine.clone().resource_ports()), engine, folder }
    }

    /// As if it had been killed: nobody does anything more.
    pub(in crate::sqlite) fn again(self) -> Self {
        Self::over(self.folder)
    }

    /// The orders that have this word.
    pub(in crate::sqlite) async fn found(&self, word: &str) -> Vec<Uuid> {
        let plan = ListPlan { search: vec![word.to_owned()], ..by_id() };
        let listing = self.engine.list(&self.shop.resource(ORDERS), &Default::default(), &plan).await.unwrap();
        let Listing::Rows { rows, .. } = listing else { panic!("too expensive") };
        rows.iter().map(|row| row.id).collect()
    }

    pub(in crate::sqlite) fn file(&self) -> Connection {
        Connection::open(self.folder.path().join("valetkey.db")).unwrap()
    }
}
