//! The rules that changes are judged by, as a table: a name that stays, how bad it is, and one sentence. Knows nothing of
//! what is compared.

use serde::Serialize;

/// What a change means for a client that was written before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It may stop working.
    Breaking,
    /// It works on, and may see something new.
    Compatible,
    /// It need not care.
    Informational,
}

impl Severity {
    /// From the worst to the mildest.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Compatible, Self::Informational];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Compatible => "compatible",
            Self::Informational => "informational",
        }
    }
}

/// One rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stays the same, so that it can be searched for.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What has happened, in one sentence.
    pub says: &'static str,
}

macro_rules! rules {
    ($($constant:ident $severity:ident $name:literal $says:literal;)*) => {
        $(pub(in crate::diff) static $constant: Rule =
            Rule { name: $name, severity: Severity::$severity, says: $says };)*

        /// Every rule, in the order of the documentation.
        pub static RULES: &[&Rule] = &[$(&$constant),*];
    };
}

rules! {
    FIELD_REMOVED Breaking "field-removed" "A field that clients read or send is gone.";
    FIELD_RENAMED Breaking "field-renamed" "A field is gone, and another one of the same kind has come: it probably has a new name.";
    FIELD_MOVED Breaking "field-moved" "A field is gone, and an object has a new member of the same name and kind.";
    TYPE_CHANGED Breaking "type-changed" "Values that clients send or read have another type.";
    REQUIRED_FIELD_ADDED Breaking "required-field-added" "Requests must have a field that no client knows yet.";
    FIELD_BECAME_REQUIRED Breaking "field-became-required" "Requests must have a field that could be left out.";
    ENUM_VALUE_REMOVED Breaking "enum-value-removed" "A value of an enumeration is gone.";
    ENDPOINT_REMOVED Breaking "endpoint-removed" "An endpoint is gone.";
    ENDPOINT_RENAMED Breaking "endpoint-renamed" "A resource or an action is gone, and another one of the same kind has come: it probably has a new name.";
    STATUS_CHANGED Breaking "status-changed" "Success is answered with another status.";
    AUTHENTICATION_CHANGED Breaking "authentication-changed" "A way to authenticate is gone, or became necessary.";
    SCOPE_NEEDED Breaking "scope-needed" "A call needs a scope that it did not need.";
    SCOPE_REMOVED Breaking "scope-removed" "A scope that clients ask for is gone.";
    VALIDATION_TIGHTENED Breaking "validation-tightened" "Values that were accepted may be refused.";
    NULL_REFUSED Breaking "null-refused" "Null was accepted, and is refused.";
    DEFAULT_CHANGED Breaking "default-changed" "What is left out becomes something else.";
    FIELD_READ_ONLY Breaking "field-read-only" "Clients can no longer write a field.";
    UNIQUENESS_ADDED Breaking "uniqueness-added" "A value that another row has is refused.";
    ANSWER_WIDENED Breaking "answer-widened" "Answers may have values that clients never had to handle.";
    FIELD_NULLABLE Breaking "field-nullable" "Answers may have null where there always was a value.";
    FIELD_OPTIONAL Breaking "field-optional" "Answers may lack a field that was always there.";
    FILTER_REMOVED Breaking "filter-removed" "Lists can no longer be filtered by a field.";
    SORT_REMOVED Breaking "sort-removed" "Lists can no longer be sorted by a field.";
    SEARCH_REMOVED Breaking "search-removed" "The words of a field are no longer found by `q`.";
    INCLUDE_REMOVED Breaking "include-removed" "A relation can no longer be brought along by `include`.";
    IF_MATCH_NEEDED Breaking "if-match-needed" "A call is refused without `If-Match`.";
    IDEMPOTENCY_KEY_NEEDED Breaking "idempotency-key-needed" "A call is refused without `Idempotency-Key`.";
    TRANSITION_REMOVED Breaking "transition-removed" "An action is no longer possible in a state.";
    OUTCOME_CHANGED Breaking "outcome-changed" "An action leads to another state.";
    RELATION_CHANGED Breaking "relation-changed" "A field points at rows of another resource, or deleting such a row does something else.";
    STAMP_CHANGED Breaking "stamp-changed" "The server writes something else into a field.";
    ROWS_HIDDEN Breaking "rows-hidden" "Users no longer see rows that were made in the name of others.";
    PUT_CREATES_NO_MORE Breaking "put-creates-no-more" "A `PUT` to an unknown id no longer makes a row.";
    PARAMETER_REMOVED Breaking "parameter-removed" "A parameter is gone.";
    REQUIRED_PARAMETER_ADDED Breaking "required-parameter-added" "A parameter that no client knows yet is required.";
    PARAMETER_BECAME_REQUIRED Breaking "parameter-became-required" "A parameter that could be left out is required.";
    PARAMETER_RESTYLED Breaking "parameter-restyled" "Lists or objects in a parameter are written in another way.";
    BODY_REQUIRED Breaking "body-required" "A request without a body is refused.";
    BODY_REMOVED Breaking "body-removed" "A request no longer takes a body.";
    MEDIA_TYPE_REMOVED Breaking "media-type-removed" "A media type is no longer accepted, or no longer answered.";
    RESPONSE_HEADER_REMOVED Breaking "response-header-removed" "A header is gone from answers, or no longer always there.";
    SUNSET_ADVANCED Breaking "sunset-advanced" "The announced end of an endpoint came nearer, or is no longer announced.";
    WEBHOOK_REMOVED Breaking "webhook-removed" "A webhook or a callback is gone.";
    RELEASE_MOVED Breaking "release-moved" "A version has another day of release, so that a day asks for another version.";
    DEFAULT_VERSION_CHANGED Breaking "default-version-changed" "Requests that say no version mean another one.";
    LENS_CHANGED Breaking "lens-changed" "Older versions see or write values of the same rows in another way.";

    OPTIONAL_FIELD_ADDED Compatible "optional-field-added" "Answers have a new field, or requests may have one.";
    ENDPOINT_ADDED Compatible "endpoint-added" "There is a new endpoint.";
    OPTIONAL_PARAMETER_ADDED Compatible "optional-parameter-added" "A request may have a new parameter.";
    RESPONSE_HEADER_ADDED Compatible "response-header-added" "Answers have a new header, or always have one that they had at times.";
    ENUM_VALUE_ADDED Compatible "enum-value-added" "An enumeration has a new value.";
    VALIDATION_LOOSENED Compatible "validation-loosened" "Values are accepted that were refused.";
    ANSWER_NARROWED Compatible "answer-narrowed" "Answers have fewer of the values that they could have.";
    NULL_ACCEPTED Compatible "null-accepted" "Null is accepted.";
    FIELD_NEVER_NULL Compatible "field-never-null" "Answers no longer have null in a field.";
    FIELD_BECAME_OPTIONAL Compatible "field-became-optional" "Requests may leave out a field that was required.";
    FIELD_ALWAYS_PRESENT Compatible "field-always-present" "Answers always have a field that they had at times.";
    FIELD_WRITABLE Compatible "field-writable" "Clients can write a field.";
    UNIQUENESS_DROPPED Compatible "uniqueness-dropped" "Rows may have a value that another one has.";
    FILTER_ADDED Compatible "filter-added" "Lists can be filtered by a field.";
    SORT_ADDED Compatible "sort-added" "Lists can be sorted by a field.";
    SEARCH_ADDED Compatible "search-added" "The words of a field are found by `q`.";
    INCLUDE_ADDED Compatible "include-added" "A relation can be brought along by `include`.";
    IF_MATCH_OPTIONAL Compatible "if-match-optional" "A call no longer needs `If-Match`.";
    IDEMPOTENCY_KEY_OPTIONAL Compatible "idempotency-key-optional" "A call no longer needs `Idempotency-Key`.";
    SCOPE_DROPPED Compatible "scope-dropped" "A call no longer needs a scope.";
    SCOPE_ADDED Compatible "scope-added" "There is a new scope to ask for.";
    AUTHENTICATION_ADDED Compatible "authentication-added" "There is another way to authenticate, or none is needed.";
    TRANSITION_ADDED Compatible "transition-added" "An action is possible in another state.";
    ROWS_SHOWN Compatible "rows-shown" "Users see rows that were made in the name of others.";
    PUT_CREATES Compatible "put-creates" "A `PUT` to an unknown id makes a row.";
    STATUS_ADDED Compatible "status-added" "Success may be answered with a further status.";
    MEDIA_TYPE_ADDED Compatible "media-type-added" "A media type is accepted or answered besides.";
    PARAMETER_BECAME_OPTIONAL Compatible "parameter-became-optional" "A parameter that was required can be left out.";
    BODY_OPTIONAL Compatible "body-optional" "A request may have a body, or no longer must.";
    WEBHOOK_ADDED Compatible "webhook-added" "There is a new webhook or callback.";

    DEFAULT_STATED Informational "default-stated" "A default is told where none was, or no longer told.";
    ENDPOINT_DEPRECATED Informational "endpoint-deprecated" "An endpoint or a parameter is still there, and no longer to be used.";
    ENDPOINT_RETAINED Informational "endpoint-retained" "An endpoint or a parameter is no longer deprecated.";
    ENDPOINT_EXPIRED Informational "endpoint-expired" "An endpoint is gone after the end that was announced for it.";
    ERROR_STATUS_CHANGED Informational "error-status-changed" "A status of failure came or went.";
    OPERATION_ID_CHANGED Informational "operation-id-changed" "An operation has another id, by which generated clients may name it.";
    AUTHENTICATION_MOVED Informational "authentication-moved" "Tokens are issued at another address.";
    NOT_COMPARED Informational "not-compared" "Something is too deep or too large to be compared.";
}

/// The rule with this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}
