//! A small library as a sample: each state that the page can be in, with every kind of parameter and mark.

use std::sync::Arc;

use super::{
    ApiDocsPage, DocsAnswer, DocsBody, DocsChange, DocsChangeKind, DocsDemonstration, DocsField, DocsGroup,
    DocsOperation, DocsParameter, DocsPlace, DocsResource, DocsState, DocsVersion,
};
use crate::{Language, ScopeRow, View};

impl View for ApiDocsPage {
    fn samples() -> Vec<Self> {
        let demonstration = Self {
            brand: Arc::default(),
            language: Language::English,
            issuer: "http://127.0.0.1:8080".into(),
            prefix: "/api".into(),
            title: "Library".into(),
            description: "Books, and who has borrowed them.\n\nAmounts are in `cents`.".into(),
            scopes: vec![
                ScopeRow::new("read:books", "See books"),
                ScopeRow { is_sensitive: true, ..ScopeRow::new("write:books", "Add, change and remove books") },
            ],
            resources: vec![books()],
            versions: versions(),
            demonstration: Some(DocsDemonstration { client_id: "demo-app".into(), user: "demo".into() }),
        };
        let bare = Self {
            description: String::new(),
            scopes: Vec::new(),
            resources: Vec::new(),
            versions: Vec::new(),
            demonstration: None,
            ..demonstration.clone()
        };
        let ours = Self { demonstration: None, ..demonstration.clone() };
        // Seen from each version, with every warning.
        let seen = |place: usize, state: DocsState| {
            let mut page = demonstration.clone();
            page.versions.iter_mut().for_each(|version| version.is_shown = false);
            page.versions[place].is_shown = true;
            page.versions[place].state = state;
            page
        };
        let old = seen(1, DocsState::Deprecated);
        let ending = seen(1, DocsState::Sunset);
        vec![demonstration, ours, bare, old, ending]
    }
}

fn versions() -> Vec<DocsVersion> {
    let version = |number: u32, state: DocsState| DocsVersion {
        number,
        state,
        address: Some(format!("/api/v{number}/docs")),
        is_shown: number == 2,
        released: "2026-01-31".into(),
        deprecated: None,
        sunset: None,
        removed: None,
        changes: Vec::new(),
    };
    let change = |kind: DocsChangeKind, place: &str, from: &str, to: &str| DocsChange {
        kind,
        place: place.into(),
        from: from.into(),
        to: to.into(),
    };
    let changes = vec![
        change(DocsChangeKind::Renamed, "books", "name", "title"),
        change(DocsChangeKind::Retyped, "books.year", "string", "integer"),
        change(DocsChangeKind::Added, "books.shelf_id", "", ""),
        change(DocsChangeKind::Removed, "books.fax", "", ""),
        change(DocsChangeKind::Status, "POST /books", "200", "201"),
    ];
    let ending = DocsVersion {
        deprecated: Some("2026-02-01".into()),
        sunset: Some("2027-02-01".into()),
        removed: Some("2027-08-01".into()),
        ..version(1, DocsState::Deprecated)
    };
    let gone = DocsVersion { address: None, ..version(0, DocsState::Removed) };
    vec![DocsVersion { changes, ..version(2, DocsState::Active) }, ending, gone]
}

fn books() -> DocsResource {
    let under = DocsGroup { under: Some("/api/shelves/{shelf_id}".into()), operations: vec![list(true)] };
    DocsResource {
        name: "books".into(),
        description: "What can be borrowed, by its `isbn`.".into(),
        is_owned: true,
        fields: fields(),
        groups: vec![DocsGroup { under: None, operations: vec![list(false), create(), update()] }, under],
    }
}

fn fields() -> Vec<DocsField> {
    let field = |name: &str, kind: &str| DocsField { name: name.into(), kind: kind.into(), ..DocsField::default() };
    vec![
        DocsField { read_only: true, ..field("id", "string (uuid)") },
        DocsField { required: true, search: true, sort: true, ..field("title", "string, 1 to 200 long") },
        DocsField { required: true, unique: true, filter: true, ..field("isbn", "string") },
        DocsField { default: Some("\"paper\"".into()), ..field("kind", "\"paper\" or \"audio\"") },
        DocsField { references: Some("shelves".into()), ..field("shelf_id", "string (uuid)") },
    ]
}

fn operation(id: &str, method: &str, path: &str, summary: &str) -> DocsOperation {
    DocsOperation {
        id: id.into(),
        method: method.into(),
        path: path.into(),
        summary: summary.into(),
        scope: Some("write:books".into()),
        answers: vec![
            DocsAnswer { status: 200, meaning: "It is done.".into() },
            DocsAnswer { status: 422, meaning: "`errors` names each field that is wrong.".into() },
        ],
        ..DocsOperation::default()
    }
}

fn parameter(place: DocsPlace, name: &str, kind: &str, description: &str) -> DocsParameter {
    DocsParameter {
        name: name.into(),
        place,
        required: place == DocsPlace::Path,
        kind: kind.into(),
        description: description.into(),
        ..DocsParameter::default()
    }
}

fn list(is_below: bool) -> DocsOperation {
    let (id, path) =
        if is_below { ("listShelfBooks", "/api/shelves/{shelf_id}/books") } else { ("listBooks", "/api/books") };
    let above = DocsParameter {
        id_of: Some("shelves".into()),
        ..parameter(DocsPlace::Path, "shelf_id", "string (uuid)", "Which one of the shelves.")
    };
    let year = DocsParameter {
        operators: ["gt", "gte", "lt", "lte", "ne"].map(str::to_owned).to_vec(),
        ..parameter(DocsPlace::Query, "year", "integer", "Only those with this `year`.")
    };
    let kind = DocsParameter {
        choices: vec!["paper".into(), "audio".into()],
        ..parameter(DocsPlace::Query, "kind", "\"paper\" or \"audio\"", "Only those of this `kind`.")
    };
    let parameters = if is_below { vec![above, year, kind] } else { vec![year, kind] };
    let answers = vec![DocsAnswer { status: 200, meaning: "A part of the list.".into() }];
    DocsOperation { scope: None, parameters, answers, ..operation(id, "GET", path, "List books") }
}

fn create() -> DocsOperation {
    let key = DocsParameter {
        required: true,
        ..parameter(DocsPlace::Header, "Idempotency-Key", "string", "A word of your choice.")
    };
    DocsOperation {
        description: "A book that is there already is not made again.".into(),
        parameters: vec![key],
        bodies: vec![body("application/json", "{\n  \"title\": \"The Dubliner's\"\n}")],
        body_required: true,
        ..operation("createBook", "POST", "/api/books", "Make one book")
    }
}

fn update() -> DocsOperation {
    let id = DocsParameter {
        id_of: Some("books".into()),
        ..parameter(DocsPlace::Path, "id", "string (uuid)", "Which one of the books.")
    };
    DocsOperation {
        parameters: vec![id, parameter(DocsPlace::Header, "If-Match", "string", "Only if it still has this `ETag`.")],
        bodies: vec![
            body("application/merge-patch+json", "{\n  \"kind\": \"audio\"\n}"),
            body("application/json-patch+json", "[\n  { \"op\": \"remove\", \"path\": \"/kind\" }\n]"),
        ],
        body_required: true,
        ..operation("updateBook", "PATCH", "/api/books/{id}", "Change a part of one book")
    }
}

fn body(media_type: &str, example: &str) -> DocsBody {
    DocsBody { media_type: media_type.into(), example: example.into() }
}
