//! Which rows have other words in the search than their documents have. Only PostgreSQL can compare them.

use std::collections::HashSet;

use tokio_postgres::Client;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;

use super::super::api_shape::rows;
use super::batch::Next;
use crate::statement::table;

/// Those of these rows whose words are not what the search has.
pub(super) async fn wrong(client: &Client, of: &Resource, asked: Vec<Next>) -> Result<Vec<Next>, StoreError> {
    if asked.is_empty() {
        return Ok(asked);
    }
    let ids: Vec<Uuid> = asked.iter().map(|next| next.row.id).collect();
    let words: Vec<Option<&str>> = asked.iter().map(|next| next.words.as_deref()).collect();
    let select = format!(
        "SELECT t.id FROM unnest($1::uuid[], $2::text[]) AS v (id, words) JOIN \"{}\" t ON t.id = v.id \
         WHERE t.search IS DISTINCT FROM v.words::tsvector",
        table(&of.name)
    );
    let found = rows(client, &select, &[&ids, &words]).await?;
    let found: HashSet<Uuid> = found.iter().map(|row| row.get(0)).collect();
    Ok(asked.into_iter().filter(|next| found.contains(&next.row.id)).collect())
}
