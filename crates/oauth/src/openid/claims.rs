//! Claims: which scope opens which, and which were asked for one by one.

use jiff::Timestamp;
use serde::Deserialize;
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
pub(super) const ACR: &str = "1";

/// The `claims` parameter (OpenID Connect Core §5.5). Which are essential makes no difference: what is known is told.
#[derive(Debug, Default, Deserialize)]
pub struct ClaimsRequest {
    #[serde(default)]
    id_token: Map<String, Value>,
    #[serde(default)]
    userinfo: Map<String, Value>,
}

impl ClaimsRequest {
    /// Is this a request of sound form? Gives it back for keeping.
    #[expect(clippy::result_unit_err, reason = "there is nothing to say but no")]
    pub fn check(text: &str) -> Result<String, ()> {
        // An array would pass for the members in their order.
        let is_object = serde_json::from_str::<Map<String, Value>>(text).is_ok();
        let parsed: Result<Self, _> = serde_json::from_str(text);
        if is_object && parsed.is_ok() && text.len() <= 4096 { Ok(text.to_owned()) } else { Err(()) }
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
