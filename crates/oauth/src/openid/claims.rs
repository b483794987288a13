//! Claims: which scope opens which, and which were asked for one by one.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::model::User;
use crate::protocol::Scope;

/// Every claim about a user that can be told.
pub const SUPPORTED: [&str; 20] = [
    "sub",
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
    "email",
    "email_verified",
    "address",
    "phone_number",
    "phone_number_verified",
];

const PROFILE: [&str; 14] = [
    "name",
    "given_name",
    "family_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at",
];

/// The one kind of sign-in there is: with a password.
pub const ACR: &str = "1";

/// The `claims` parameter (OpenID Connect Core §5.5). What is known is told, essential or not; only a demanded `acr` or
/// `sub` can be refused.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ClaimsRequest {
    #[serde(default)]
    id_token: Map<String, Value>,
    #[serde(default)]
    userinfo: Map<String, Value>,
}

impl ClaimsRequest {
    /// Reads a request. `None` if it is not of sound form.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // An array would pass for the members in their order.
        let is_object = serde_json::from_str::<Map<String, Value>>(text).is_ok();
        serde_json::from_str(text).ok().filter(|_| is_object && text.len() <= 4096)
    }

    /// Leaves out what an app with these scopes may never know: a claim is asked for one by one, and not for nothing.
    pub(crate) fn within(mut self, scope: &Scope) -> Self {
        let may_know = |name: &String, _: &mut Value| scope_of(name).is_none_or(|needed| scope.contains(needed));
        self.id_token.retain(may_know);
        self.userinfo.retain(may_know);
        self
    }

    /// The scopes that open the same claims: a person is asked for these.
    pub(crate) fn scopes(&self) -> BTreeSet<&'static str> {
        self.for_id_token().chain(self.for_userinfo()).filter_map(scope_of).collect()
    }

    /// The one user whom the app wants to hear of (OpenID Connect Core §5.5.1).
    pub(crate) fn subject(&self) -> Option<&str> {
        self.id_token.get("sub")?.get("value")?.as_str()
    }

    /// The text to keep.
    pub(crate) fn kept(&self) -> Option<String> {
        let is_empty = self.id_token.is_empty() && self.userinfo.is_empty();
        if is_empty { None } else { serde_json::to_string(self).ok() }
    }

    /// Does it insist on a sign-in that this server has? An `acr` that is not essential is only a wish.
    pub(crate) fn insists_on_known_acr(&self) -> bool {
        let Some(acr) = self.id_token.get("acr").filter(|acr| acr["essential"] == true) else { return true };
        let wanted: Vec<_> = acr["values"].as_array().into_iter().flatten().chain(acr.get("value")).collect();
        wanted.is_empty() || wanted.into_iter().any(|value| value == ACR)
    }

    /// Reads what was kept.
    pub fn read(kept: Option<&str>) -> Self {
        kept.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    pub(super) fn for_id_token(&self) -> impl Iterator<Item = &str> {
        self.id_token.keys().map(String::as_str)
    }

    pub(super) fn for_userinfo(&self) -> impl Iterator<Item = &str> {
        self.userinfo.keys().map(String::as_str)
    }
}

/// The scope that opens a claim; claims about the sign-in itself need none.
fn scope_of(claim: &str) -> Option<&'static str> {
    match claim {
        "email" | "email_verified" => Some("email"),
        "address" => Some("address"),
        "phone_number" | "phone_number_verified" => Some("phone"),
        profile => PROFILE.contains(&profile).then_some("profile"),
    }
}

/// The claims that a scope opens.
pub(super) fn of_scope(scope: &Scope) -> Vec<&'static str> {
    let mut names = Vec::new();
    if scope.contains("profile") {
        names.extend(PROFILE);
    }
    if scope.contains("email") {
        names.extend(["email", "email_verified"]);
    }
    if scope.contains("address") {
        names.push("address");
    }
    if scope.contains("phone") {
        names.extend(["phone_number", "phone_number_verified"]);
    }
    names
}

/// One claim about a user, if it is known.
pub(super) fn value(user: &User, name: &str) -> Option<Value> {
    match name {
        "name" => user.name.clone().map(Value::from),
        "preferred_username" => Some(json!(user.username)),
        "email" => user.email.clone().map(Value::from),
        "email_verified" => user.email.as_ref().map(|_| is_true(user, name)),
        "phone_number_verified" => user.profile.get("phone_number").map(|_| is_true(user, name)),
        "updated_at" => Some(json!(updated_at(user).as_second())),
        other => SUPPORTED.contains(&other).then(|| user.profile.get(other).cloned()).flatten(),
    }
}

fn is_true(user: &User, name: &str) -> Value {
    json!(user.profile.get(name) == Some(&Value::Bool(true)))
}

fn updated_at(user: &User) -> Timestamp {
    let changed = user.profile.get("updated_at").and_then(Value::as_i64);
    changed.and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or(user.created_at)
}
