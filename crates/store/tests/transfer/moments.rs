//! One moment of a store that is being written to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_store::transfer::{Inventory, Row, Source, Table, TransferError, back_up};
use valetkey_testkit::build;

use crate::place::Place;

/// A source that lets others write between one table and the next.
struct Patient {
    source: Box<dyn Source>,
    made: Arc<AtomicU32>,
}

#[async_trait]
impl Source for Patient {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        self.source.inventory().await
    }

    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError> {
        let before = self.made.load(Ordering::Relaxed);
        while self.made.load(Ordering::Relaxed) < before + 3 {
            tokio::task::yield_now().await;
        }
        self.source.begin(table, after).await
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        self.source.next().await
    }
}

/// A client and its secret come in one transaction: no backup has one without the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_of_a_busy_store_holds_no_half_of_a_transaction() {
    for place in Place::each().await {
        place.declare().await;
        let (clients, is_over, made) =
            (place.ports().await.clients, Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (clients, is_over, made) = (clients.clone(), is_over.clone(), made.clone());
                tokio::spawn(async move {
                    for number in 0.. {
                        if is_over.load(Ordering::Relaxed) {
                            break;
                        }
                        clients.register(&build::client(&format!("app-{writer}-{number}"))).await.unwrap();
                        made.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let mut counts = Vec::new();

        for round in 1..=5 {
            while made.load(Ordering::Relaxed) < round * 20 {
                tokio::task::yield_now().await;
            }
            let before = made.load(Ordering::Relaxed);
            let mut source = Patient { source: place.export(false).await, made: made.clone() };
            let (file, about) = (folder.path().join(format!("{round}.backup")), ("", "", Timestamp::UNIX_EPOCH));
            let backup = back_up(&mut source, &file, about, false, &mut |_, _, _| {}).await.unwrap();
            let rows = |name: &str| backup.tables.iter().find(|(table, _)| table == name).unwrap().1.rows;
            counts.push((before, rows("clients"), rows("client_secrets")));
        }
        is_over.store(true, Ordering::Relaxed);
        for writer in writers {
            writer.await.unwrap();
        }

        let secrets = build::client("x").secrets.len() as u64;
        for (before, clients, found) in counts {
            assert!(clients >= u64::from(before), "what was answered before is there: {clients} of {before}");
            assert_eq!(found, clients * secrets);
        }
    }
}
