//! The kinds of problem that any HTTP service has. Kinds of one domain are declared where that domain lives.

use http::StatusCode;

use super::ProblemType;

macro_rules! kinds {
    ($($name:ident = $slug:literal, $status:ident, $title:literal, $meaning:literal, $remedy:literal;)*) => {
        $(
            #[doc = concat!("`", $slug, "`: ", $meaning)]
            pub static $name: ProblemType = ProblemType {
                slug: $slug,
                title: $title,
                status: StatusCode::$status,
                meaning: $meaning,
                remedy: $remedy,
            };
        )*

        /// Every kind of this file, in the order of their statuses.
        pub static ALL: &[&ProblemType] = &[$(&$name),*];
    };
}

kinds! {
    BAD_REQUEST = "bad-request", BAD_REQUEST, "Bad request",
        "The request cannot be read, or a required part of it is missing.",
        "Compare the request with the documentation of this endpoint; `detail` and `errors` name what is wrong.";
    TOKEN_IN_URL = "token-in-url", BAD_REQUEST, "Token in the URL",
        "The URL carries a token. URLs end up in logs and browser histories, so a token in one is not accepted.",
        "Send the token in the `Authorization: Bearer` header, and treat the one that was in the URL as leaked: revoke it.";
    IDEMPOTENCY_KEY_REQUIRED = "idempotency-key-required", BAD_REQUEST, "Idempotency key required",
        "This operation is only done under an `Idempotency-Key`, so that a repeated request does not do the work twice.",
        "Send a new, unique `Idempotency-Key` with each piece of work, and the same one when you repeat the request.";
    UNAUTHORIZED = "unauthorized", UNAUTHORIZED, "Authentication required",
        "The request carries no credentials, or credentials that are not valid here or have expired.",
        "Send valid credentials; the `WWW-Authenticate` header names the scheme. Renew an expired access token first.";
    FORBIDDEN = "forbidden", FORBIDDEN, "Not permitted",
        "The credentials are valid, but they do not permit this.",
        "Ask for a token with the scope that this operation needs, or ask the owner for access.";
    NOT_FOUND = "not-found", NOT_FOUND, "Not found",
        "Nothing that you can see lives at this address.",
        "Check the path and the identifier. What belongs to someone else is reported as not found too.";
    METHOD_NOT_ALLOWED = "method-not-allowed", METHOD_NOT_ALLOWED, "Method not allowed",
        "This address exists, but not for this HTTP method.",
        "Use one of the methods in the `Allow` header.";
    NOT_ACCEPTABLE = "not-acceptable", NOT_ACCEPTABLE, "Not acceptable",
        "The server has no representation that the `Accept` header allows.",
        "Accept `application/json`, or a media type and version that the documentation lists.";
    REQUEST_TIMEOUT = "request-timeout", REQUEST_TIMEOUT, "Request timeout",
        "The request did not arrive completely in the time allowed.",
        "Send it again. If it happens often, look at the network, or send smaller bodies.";
    CONFLICT = "conflict", CONFLICT, "Conflict",
        "The request does not fit the present state of the resource.",
        "Read the resource again, and repeat the request if it still makes sense.";
    IDEMPOTENCY_IN_PROGRESS = "idempotency-in-progress", CONFLICT, "Still being done",
        "A request with this `Idempotency-Key` is being done at this moment, and its answer is not known yet.",
        "Wait as many seconds as `Retry-After` says, and send the same request with the same key again.";
    GONE = "gone", GONE, "Gone",
        "This was removed and does not come back.",
        "Move to the successor that the documentation or the `Link` header names.";
    PRECONDITION_FAILED = "precondition-failed", PRECONDITION_FAILED, "Precondition failed",
        "The resource has changed since the version that the request names.",
        "Read the resource again, merge your change, and send it with the new `ETag` in `If-Match`.";
    CONTENT_TOO_LARGE = "content-too-large", PAYLOAD_TOO_LARGE, "Content too large",
        "The body is larger than the server accepts.",
        "Send a smaller body, or split the work over several requests.";
    URI_TOO_LONG = "uri-too-long", URI_TOO_LONG, "URI too long",
        "The address is longer than the server reads.",
        "Shorten the query, or send its parameters in a body where the endpoint allows it.";
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type", UNSUPPORTED_MEDIA_TYPE, "Unsupported media type",
        "The endpoint does not read bodies of this `Content-Type`.",
        "Send one of the media types that the documentation lists for this endpoint.";
    HTTPS_REQUIRED = "https-required", MISDIRECTED_REQUEST, "HTTPS required",
        "The request came over an unprotected connection, where anyone on the way can read it.",
        "Use the `https` address. Treat credentials that were sent over plain HTTP as leaked, and replace them.";
    UNPROCESSABLE = "unprocessable", UNPROCESSABLE_ENTITY, "Unprocessable content",
        "The request is well formed, but its values do not pass validation.",
        "Correct the fields that `errors` names, and send the request again.";
    IDEMPOTENCY_KEY_REUSED = "idempotency-key-reused", UNPROCESSABLE_ENTITY, "Idempotency key reused",
        "This `Idempotency-Key` was sent before with another request, whose answer is kept under it.",
        "Use a new key for a new request. To repeat the earlier one, send it again unchanged: method, path and body.";
    PRECONDITION_REQUIRED = "precondition-required", PRECONDITION_REQUIRED, "Precondition required",
        "This operation is only done on a version of the resource that the request names, and it names none.",
        "Read the resource, and send its `ETag` in the `If-Match` header.";
    TOO_MANY_REQUESTS = "too-many-requests", TOO_MANY_REQUESTS, "Too many requests",
        "More requests came in this window than the limit allows.",
        "Wait as many seconds as `Retry-After` says. `X-RateLimit-Limit` tells how many requests a window has.";
    HEADERS_TOO_LARGE = "headers-too-large", REQUEST_HEADER_FIELDS_TOO_LARGE, "Headers too large",
        "The headers of the request are larger than the server reads.",
        "Send fewer or shorter headers; an overgrown `Cookie` header is the usual cause.";
    INTERNAL_ERROR = "internal-error", INTERNAL_SERVER_ERROR, "Internal error",
        "The server could not finish the request. The reason is in its log.",
        "Try again. If it stays, tell the operator the `instance` of the answer: it stands beside the reason in the log.";
    NOT_IMPLEMENTED = "not-implemented", NOT_IMPLEMENTED, "Not implemented",
        "The server does not offer this.",
        "Check the documentation for what this version offers.";
    UNAVAILABLE = "unavailable", SERVICE_UNAVAILABLE, "Unavailable",
        "The server cannot serve this request at the moment.",
        "Wait as many seconds as `Retry-After` says, if it is there, and try again.";
    BEING_PREPARED = "being-prepared", SERVICE_UNAVAILABLE, "Being prepared",
        "The request goes by something that was declared a short while ago and is still being made from earlier data.",
        "Wait as many seconds as `Retry-After` says, and try again. Requests that do not name it are answered meanwhile.";
    SUPERSEDED = "superseded", SERVICE_UNAVAILABLE, "Superseded",
        "A newer declaration of the API has taken over on another server, and this server has the one before.",
        "Wait as many seconds as `Retry-After` says, and try again: servers are upgraded one after the other. Nothing was changed.";
    GATEWAY_TIMEOUT = "gateway-timeout", GATEWAY_TIMEOUT, "Gateway timeout",
        "A service behind this one did not answer in time.",
        "Try again. A request that changes something is safe to repeat with the same `Idempotency-Key`.";
}

/// The kind that fits a status of which nothing else is known.
pub fn for_status(status: StatusCode) -> &'static ProblemType {
    match status.as_u16() {
        401 => &UNAUTHORIZED,
        403 => &FORBIDDEN,
        404 => &NOT_FOUND,
        405 => &METHOD_NOT_ALLOWED,
        406 => &NOT_ACCEPTABLE,
        408 => &REQUEST_TIMEOUT,
        409 => &CONFLICT,
        410 => &GONE,
        412 => &PRECONDITION_FAILED,
        413 => &CONTENT_TOO_LARGE,
        414 => &URI_TOO_LONG,
        415 => &UNSUPPORTED_MEDIA_TYPE,
        421 => &HTTPS_REQUIRED,
        422 => &UNPROCESSABLE,
        428 => &PRECONDITION_REQUIRED,
        429 => &TOO_MANY_REQUESTS,
        431 => &HEADERS_TOO_LARGE,
        501 => &NOT_IMPLEMENTED,
        502 | 503 => &UNAVAILABLE,
        504 => &GATEWAY_TIMEOUT,
        500.. => &INTERNAL_ERROR,
        _ => &BAD_REQUEST,
    }
}
