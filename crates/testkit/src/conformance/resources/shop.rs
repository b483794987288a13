//! The store of a small shop, and short ways to ask it.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use uuid::Uuid;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::{
    Change, Changing, Creating, Creation, Draft, Edited, KeptAnswer, Key, Keyed, Pointer, Ports, Precondition, Removal,
    Removing, Sight, Stored, TaskStep,
};
use valetkey_rest::Problem;

use crate::api::shop;
use crate::clock::moment;

/// A store with the tables of [`crate::api::shop`].
#[derive(Clone)]
pub struct Shop {
    pub ports: Ports,
    pub api: Arc<Api>,
}

impl Shop {
    pub fn new(ports: Ports) -> Self {
        Self { ports, api: shop() }
    }

    pub fn resource(&self, name: &str) -> Arc<Resource> {
        self.api.resource(name).unwrap().clone()
    }

    /// A draft of this document, with a pointer for each reference.
    pub fn draft(&self, resource: &str, document: Value) -> Draft {
        let resource = self.resource(resource);
        let document = object(document);
        let mut draft = Draft::new(&resource, &document);
        for field in &resource.fields {
            let id = document.get(&field.name).and_then(|value| Uuid::parse_str(value.as_str()?).ok());
            if let (Some(reference), Some(id)) = (&field.references, id) {
                let (field, resource) = (field.name.clone(), reference.resource.clone());
                draft.pointers.push(Pointer { field, resource, id, owner: None });
            }
        }
        draft
    }

    pub fn creation(&self, resource: &str, id: Uuid, document: Value) -> Creation {
        let draft = self.draft(resource, document);
        Creation { resource: self.resource(resource), id, owner: None, now: moment(0), revision: 1, draft, keyed: None }
    }

    pub async fn try_create(&self, resource: &str, id: Uuid, document: Value) -> Creating {
        self.ports.rows.create(self.creation(resource, id, document)).await.unwrap()
    }

    /// Makes a row that nothing stands in the way of.
    pub async fn create(&self, resource: &str, id: Uuid, document: Value) {
        assert_eq!(self.try_create(resource, id, document).await, Creating::Created);
    }

    pub async fn find(&self, resource: &str, id: Uuid) -> Option<Stored> {
        self.ports.rows.find(&self.resource(resource), id, &Sight::default()).await.unwrap()
    }

    /// The document of a row that is there.
    pub async fn document(&self, resource: &str, id: Uuid) -> Value {
        serde_json::from_str(&self.find(resource, id).await.unwrap().document).unwrap()
    }

    /// A change that sets these members.
    pub fn change(&self, resource: &str, id: Uuid, members: Value) -> Change {
        let shop = self.clone();
        let of = resource.to_owned();
        self.edit(resource, id, move |row| {
            let mut document: Map<String, Value> = serde_json::from_str(&row.document).unwrap();
            document.extend(object(members.clone()));
            Ok(edited(shop.draft(&of, Value::Object(document))))
        })
    }

    /// A change by this edit.
    pub fn edit(
        &self,
        resource: &str,
        id: Uuid,
        edit: impl Fn(&Stored) -> Result<Edited, Problem> + Send + Sync + 'static,
    ) -> Change {
        Change {
            resource: self.resource(resource),
            id,
            sight: Sight::default(),
            condition: Precondition::None,
            now: moment(1),
            edit: Arc::new(edit),
            keyed: None,
        }
    }

    pub async fn apply(&self, change: Change) -> Changing {
        self.ports.rows.change(change).await.unwrap()
    }

    pub fn removal(&self, resource: &str, id: Uuid) -> Removal {
        Removal {
            api: self.api.clone(),
            resource: self.resource(resource),
            id,
            sight: Sight::default(),
            condition: Precondition::None,
            now: moment(2),
        }
    }

    pub async fn remove(&self, resource: &str, id: Uuid) -> Removing {
        self.ports.rows.remove(self.removal(resource, id)).await.unwrap()
    }
}

/// A JSON object as a map.
pub fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// An edit that writes this draft.
pub fn edited(draft: Draft) -> Edited {
    Edited { draft: Some(draft), task: TaskStep::None, answer: None }
}

/// A request of one client under a key, at this second.
pub fn keyed(word: &str, request: u8, now: i64) -> Keyed {
    let key = Key { client: "app".into(), subject: Some("alice".into()), word: word.into() };
    Keyed { key, fingerprint: [request; 32], now: moment(now), until: moment(now + 100) }
}

/// An answer with this body.
pub fn answer(body: &str) -> KeptAnswer {
    KeptAnswer { location: Some(format!("/{body}")), etag: Some("\"1\"".into()), body: body.into() }
}

/// A user with this address.
pub fn user(email: &str) -> Value {
    json!({"name": "A", "email": email, "visits": 0})
}
