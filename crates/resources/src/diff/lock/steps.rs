//! How the changes of one version write values for the versions before it: what no surface shows, and clients notice.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::model::{Change, Codec, Step, Version};

/// For each field, what is done to its values, in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Steps(BTreeMap<String, Vec<Value>>);

impl Steps {
    pub(super) fn of(version: &Version) -> Self {
        let mut steps: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for Step { resource, change, .. } in &version.changes {
            let (field, turned) = match change {
                Change::Retyped { field, codec, .. } => (field, json!({ "codec": word(codec) })),
                Change::Reworded { field, values, shown } => (field, json!({ "values": values, "shown": shown })),
                Change::Added { field, value: Some(value) } => (field, json!({ "value": value })),
                Change::Removed { field, from: Some(from) } => (field, json!({ "shown_as": from.default })),
                _ => continue,
            };
            steps.entry(format!("{resource}.{field}")).or_default().push(turned);
        }
        Self(steps)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields whose values are turned otherwise: what was done, and what is.
    pub(super) fn differences(&self, now: &Self) -> Vec<(String, Option<String>, Option<String>)> {
        let fields: BTreeSet<&String> = self.0.keys().chain(now.0.keys()).collect();
        let text = |steps: Option<&Vec<Value>>| {
            let each = steps?.iter().map(|step| format!("`{step}`"));
            Some(each.collect::<Vec<_>>().join(", then "))
        };
        let differing = fields.into_iter().filter(|field| self.0.get(*field) != now.0.get(*field));
        differing.map(|field| (field.clone(), text(self.0.get(field)), text(now.0.get(field)))).collect()
    }
}

fn word(codec: &Codec) -> Value {
    match codec {
        Codec::Decimal(digits) => json!({ "decimal": digits }),
        Codec::Text => json!("text"),
        Codec::Epoch => json!("epoch"),
        Codec::EpochMillis => json!("epoch_millis"),
        Codec::List => json!("list"),
        Codec::Map(pairs) => json!({ "map": pairs }),
    }
}
