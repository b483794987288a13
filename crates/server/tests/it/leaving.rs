//! Leaving a machine, an engine or a version: what lived before lives on, and what was spent stays spent.

mod backup;
mod copy;
mod life;
mod upgrade;

use std::path::Path;

use crate::house::{Engine, House};

/// The root key goes along, by another way than the rows.
const ROOT: (&str, &str) = ("VALETKEY_ROOT_KEY", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=");

async fn unstarted(engine: Engine) -> Option<House> {
    House::unstarted(engine, &[ROOT]).await
}

async fn started(engine: Engine) -> Option<House> {
    House::with(engine, &[ROOT]).await
}

/// Runs SQL in the database of a house.
async fn execute(house: &House, sql: &str) {
    match house.engine {
        Engine::Sqlite => rusqlite::Connection::open(database(house)).unwrap().execute_batch(sql).unwrap(),
        Engine::Postgres => {
            let (client, connection) = tokio_postgres::connect(house.database(), tokio_postgres::NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            client.batch_execute(sql).await.unwrap();
            drop(client);
            let _ = connection.await;
        }
    }
}

fn database(house: &House) -> std::path::PathBuf {
    house.data().join("valetkey.db")
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
