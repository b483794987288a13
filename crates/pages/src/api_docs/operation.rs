//! One operation of the API: what it takes, what it answers, and how to call it from a shell.

use crate::prose;

/// One method at one address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocsOperation {
    /// Its name in the OpenAPI document, which is its anchor here.
    pub id: String,
    /// The method, in capitals.
    pub method: String,
    /// The whole path, with names in braces.
    pub path: String,
    /// What it does, in a few words.
    pub summary: String,
    /// More about it, if there is more to say.
    pub description: String,
    /// The scope that it needs; none if any good token will do.
    pub scope: Option<String>,
    /// What can be sent besides the body.
    pub parameters: Vec<DocsParameter>,
    /// One example for each media type that is read; none if there is no body.
    pub bodies: Vec<DocsBody>,
    /// Must there be a body?
    pub body_required: bool,
    /// By status.
    pub answers: Vec<DocsAnswer>,
}

/// Something that can be sent besides the body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocsParameter {
    /// Its name.
    pub name: String,
    /// Where it is sent.
    pub place: DocsPlace,
    /// Must it be there?
    pub required: bool,
    /// What its values look like, in a few words.
    pub kind: String,
    /// What it does.
    pub description: String,
    /// The only values there are; none if there are others.
    pub choices: Vec<String>,
    /// How values can be compared besides being equal: `amount[gte]=5`.
    pub operators: Vec<String>,
    /// The resource whose id it is.
    pub id_of: Option<String>,
}

/// Where a parameter is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocsPlace {
    /// In the path.
    Path,
    /// Behind the question mark.
    #[default]
    Query,
    /// As a header.
    Header,
}

impl DocsPlace {
    /// Its word in the OpenAPI document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

/// A body in one media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsBody {
    /// The media type.
    pub media_type: String,
    /// An example, as indented JSON.
    pub example: String,
}

/// What a status means here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsAnswer {
    /// The status.
    pub status: u16,
    /// What it means.
    pub meaning: String,
}

impl DocsOperation {
    /// The class that colours the method.
    pub(super) fn tone(&self) -> String {
        self.method.to_lowercase()
    }

    pub(super) fn description_html(&self) -> String {
        super::resource::paragraphs(&self.description)
    }

    /// A command that works when the shell knows the token and the ids.
    pub(super) fn curl(&self, issuer: &str) -> String {
        let mut path = self.path.clone();
        for parameter in self.parameters.iter().filter(|parameter| parameter.place == DocsPlace::Path) {
            let variable = format!("${}", parameter.name.to_uppercase());
            path = path.replace(&format!("{{{}}}", parameter.name), &variable);
        }
        let mut parts = vec![match self.method.as_str() {
            "GET" => format!("curl \"{issuer}{path}\""),
            method => format!("curl -X {method} \"{issuer}{path}\""),
        }];
        parts.push("-H \"Authorization: Bearer $ACCESS_TOKEN\"".to_owned());
        for header in self.parameters.iter().filter(|found| found.place == DocsPlace::Header && found.required) {
            parts.push(format!("-H \"{}: ${}\"", header.name, header.name.replace('-', "_").to_uppercase()));
        }
        if let Some(body) = self.bodies.first().filter(|_| self.body_required) {
            parts.push(format!("-H \"Content-Type: {}\"", body.media_type));
            parts.push(format!("-d '{}'", body.example.replace('\'', "'\\''")));
        }
        parts.join(" \\\n  ")
    }
}

impl DocsParameter {
    pub(super) fn description_html(&self) -> String {
        prose::html(&self.description)
    }
}

impl DocsAnswer {
    /// Good, or bad: the colour of its badge.
    pub(super) fn tone(&self) -> &'static str {
        if self.status < 400 { "badge-good" } else { "badge-plain" }
    }

    pub(super) fn meaning_html(&self) -> String {
        prose::html(&self.meaning)
    }
}
