//! Each operation: what it takes, what it answers, which scope it needs.

use serde_json::{Map, Value, json};

use super::responses::refusals;
use super::{capital, headers, parameters, reference, type_name, values};
use crate::model::{Action, Api, Operation, Resource};

/// A resource at one of its paths.
pub(super) struct Described<'a> {
    pub(super) api: &'a Api,
    pub(super) of: &'a Resource,
    pub(super) above: Option<&'a Resource>,
}

impl Described<'_> {
    pub(super) fn list(&self) -> Value {
        let name = format!("{}List", type_name(&self.of.singular));
        let answer = json!({
            "200": answer("A part of the list.", &["Link", "Preference-Applied"], &reference("schemas", &name)),
        });
        let statuses = if self.above.is_some() { &["404", "422"][..] } else { &["422"] };
        self.operation(Operation::List, "list", &plural(self), parameters::of_list(self.of), None, answer, statuses)
    }

    pub(super) fn create(&self) -> Value {
        let made = self.row();
        let links = self.next_steps();
        let answer = json!({
            "200": answer("It was made before, under this key.", &["ETag", "Location", "Idempotent-Replayed"], &made),
            "201": with(answer("It is made.", &["ETag", "Location"], &made), "links", links),
        });
        let body = json_body(&self.body("Create"), true);
        let key = self.key(Operation::Create);
        let statuses = ["404", "409", "413", "415", "422"];
        let statuses = if self.above.is_some() { &statuses[..] } else { &statuses[1..] };
        self.operation(Operation::Create, "create", &singular(self), vec![key], Some(body), answer, statuses)
    }

    pub(super) fn read(&self) -> Value {
        let answer = json!({
            "200": answer("The resource.", &["ETag", "Accept-Patch"], &self.row()),
            "304": { "description": "It still has this `ETag`.", "headers": headers::some(&["ETag"]) },
        });
        let mut parameters = parameters::of_one(self.of);
        parameters.extend(["IfNoneMatch", "IfMatch"].map(|name| reference("parameters", name)));
        self.operation(Operation::Read, "get", &singular(self), parameters, None, answer, &["404", "412"])
    }

    pub(super) fn replace(&self) -> Value {
        let body = json_body(&self.body("Create"), true);
        let mut answer = json!({ "200": answer("It is replaced.", &["ETag", "Accept-Patch"], &self.row()) });
        let mut parameters = vec![self.if_match(Operation::Replace)];
        if self.of.put_creates && self.of.offers(Operation::Create) {
            let status = self.of.status(Operation::Create).unwrap_or(201).to_string();
            if status != "200" {
                answer[status] = self::answer("It is made.", &["ETag", "Location"], &self.row());
            }
            // What is not there yet has no tag that could be asked for.
            parameters = vec![reference("parameters", "IfMatch"), reference("parameters", "IfNoneMatchToMake")];
        }
        let statuses = ["404", "409", "412", "413", "415", "422", "428"];
        self.operation(Operation::Replace, "replace", &singular(self), parameters, Some(body), answer, &statuses)
    }

    pub(super) fn update(&self) -> Value {
        let patch = json!({ "schema": self.body("Patch") });
        let body = json!({
            "required": true,
            "content": {
                "application/merge-patch+json": patch,
                "application/json": patch,
                "application/json-patch+json": { "schema": reference("schemas", "JsonPatch") },
            },
        });
        let answer = json!({ "200": answer("It is changed.", &["ETag", "Accept-Patch"], &self.row()) });
        let statuses = ["404", "409", "412", "413", "415", "422", "428"];
        let parameters = vec![self.if_match(Operation::Update)];
        self.operation(Operation::Update, "update", &singular(self), parameters, Some(body), answer, &statuses)
    }

    pub(super) fn delete(&self) -> Value {
        let answer = json!({ "204": { "description": "It is gone." } });
        let parameters = vec![self.if_match(Operation::Delete)];
        let statuses = ["404", "409", "412", "428"];
        self.operation(Operation::Delete, "delete", &singular(self), parameters, None, answer, &statuses)
    }

    pub(super) fn act(&self, action: &Action) -> Value {
        let mut answers = json!({
            "200": answer("It is done.", &["ETag", "Location", "Idempotent-Replayed"], &self.row()),
        });
        if action.is_async || action.handler.is_some() {
            let monitor = reference("schemas", "Operation");
            answers["202"] = answer("It will be done.", &["Location", "Retry-After"], &monitor);
        }
        if action.is_async {
            let headers = ["Location", "Idempotent-Replayed"];
            answers["200"] =
                answer("It was accepted before, under this key.", &headers, &reference("schemas", "Operation"));
        }
        let none = || json!({ "type": "object", "maxProperties": 0 });
        let input = action.input.clone().map_or_else(none, values::complete);
        let body = json_body(&input, false);
        let parameters = vec![self.if_match(Operation::Act), self.key(Operation::Act)];
        let mut statuses = vec!["404", "409", "412", "413", "415", "422", "428"];
        statuses.extend(action.handler.is_some().then_some("504"));
        let name = singular(self);
        let mut operation =
            self.operation(Operation::Act, &action.name, &name, parameters, Some(body), answers, &statuses);
        operation["description"] = json!(action.description);
        if let Some(scope) = &action.scope {
            operation["security"] = security(Some(scope));
        }
        operation
    }

    #[allow(clippy::too_many_arguments, reason = "each is one part of the description")]
    fn operation(
        &self,
        operation: Operation,
        verb: &str,
        noun: &str,
        parameters: Vec<Value>,
        body: Option<Value>,
        answers: Value,
        statuses: &[&str],
    ) -> Value {
        let Value::Object(mut responses) = answers else { return Value::Null };
        responses.extend(refusals(statuses));
        let mut described = json!({
            "operationId": format!("{}{noun}", verb.replace('_', "")),
            "summary": self.summary(operation, verb),
            "tags": [self.of.name],
            "security": security(self.of.scopes.of(operation)),
            "parameters": parameters,
            "responses": responses,
        });
        if let Some(body) = body {
            described["requestBody"] = body;
        }
        described
    }

    fn summary(&self, operation: Operation, verb: &str) -> String {
        let (one, many) = (&self.of.singular, &self.of.name);
        let place = self.above.map(|above| format!(" of one {}", above.singular)).unwrap_or_default();
        match operation {
            Operation::List => format!("List {many}{place}"),
            Operation::Create => format!("Make one {one}{place}"),
            Operation::Read => format!("Read one {one}{place}"),
            Operation::Replace => format!("Replace one {one}{place}"),
            Operation::Update => format!("Change a part of one {one}{place}"),
            Operation::Delete => format!("Delete one {one}{place}"),
            Operation::Act => format!("{} one {one}{place}", capital(verb)),
        }
    }

    fn body(&self, kind: &str) -> Value {
        let below = if self.above.is_some() { "Below" } else { "" };
        reference("schemas", &format!("{}{kind}{below}", type_name(&self.of.singular)))
    }

    fn row(&self) -> Value {
        reference("schemas", &type_name(&self.of.singular))
    }

    fn if_match(&self, operation: Operation) -> Value {
        demanded("IfMatch", self.of.needs_if_match.contains(&operation))
    }

    fn key(&self, operation: Operation) -> Value {
        demanded("IdempotencyKey", self.of.needs_idempotency_key.contains(&operation))
    }

    /// What can be done with what was just made, for those who follow links.
    fn next_steps(&self) -> Value {
        let name = type_name(&self.of.singular);
        let offered = [
            (Operation::Read, "get"),
            (Operation::Replace, "replace"),
            (Operation::Update, "update"),
            (Operation::Delete, "delete"),
        ];
        let mut links = Map::new();
        for (operation, verb) in offered {
            if self.of.offers(operation) {
                links.insert(verb.to_owned(), follow(&format!("{verb}{name}"), "id"));
            }
        }
        for action in &self.of.actions {
            links.insert(action.name.clone(), follow(&format!("{}{name}", action.name.replace('_', "")), "id"));
        }
        for child in self.api.children(self.of) {
            let operation = format!("list{}{}", name, type_name(&child.name));
            links.insert(child.name.clone(), follow(&operation, &format!("{}_id", self.of.singular)));
        }
        Value::Object(links)
    }
}

/// `GET /operations/{id}`.
pub(super) fn monitor() -> Value {
    let mut responses = refusals(&["404"]);
    let told = answer("How far it is.", &["Retry-After"], &reference("schemas", "Operation"));
    responses.insert("200".to_owned(), told);
    json!({
        "parameters": [reference("parameters", "Id")],
        "get": {
            "operationId": "getOperation",
            "summary": "How far is an action that takes time?",
            "tags": ["operations"],
            "security": [{ "bearer": [] }],
            "responses": responses,
        },
    })
}

fn singular(described: &Described<'_>) -> String {
    let above = described.above.map(|above| type_name(&above.singular)).unwrap_or_default();
    format!("{above}{}", type_name(&described.of.singular))
}

fn plural(described: &Described<'_>) -> String {
    let above = described.above.map(|above| type_name(&above.singular)).unwrap_or_default();
    format!("{above}{}", type_name(&described.of.name))
}

fn follow(operation: &str, parameter: &str) -> Value {
    json!({ "operationId": operation, "parameters": { parameter: "$response.body#/id" } })
}

fn demanded(name: &str, is_required: bool) -> Value {
    if !is_required {
        return reference("parameters", name);
    }
    let mut parameter = parameters::shared()[name].clone();
    parameter["required"] = json!(true);
    parameter
}

fn security(scope: Option<&str>) -> Value {
    let scopes: Vec<&str> = scope.into_iter().collect();
    json!([{ "oauth2": scopes }, { "bearer": [] }])
}

fn answer(description: &str, sent: &[&str], schema: &Value) -> Value {
    json!({
        "description": description,
        "headers": headers::some(sent),
        "content": { "application/json": { "schema": schema } },
    })
}

fn json_body(schema: &Value, is_required: bool) -> Value {
    json!({ "required": is_required, "content": { "application/json": { "schema": schema } } })
}

fn with(mut answer: Value, name: &str, value: Value) -> Value {
    answer[name] = value;
    answer
}
