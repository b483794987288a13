//! Where the places that findings name stand in a file: the line of the nearest key.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser};

/// The line of each key, by the keys that lead to it.
#[derive(Debug, Clone, Default)]
pub struct Spots(HashMap<Vec<String>, usize>);

/// A list or a map that has not ended yet.
enum Frame {
    List,
    Map(Option<String>),
}

impl Spots {
    /// Reads a declaration or an OpenAPI document, in YAML or JSON. What cannot be read has no spots.
    pub fn read(text: &str) -> Self {
        let mut spots = Self::default();
        let mut frames: Vec<Frame> = Vec::new();
        let mut parser = Parser::new_from_str(text.trim_start_matches('\u{feff}'));
        while let Some(Ok((event, span))) = parser.next_event() {
            match event {
                Event::Scalar(key, ..) if matches!(frames.last(), Some(Frame::Map(None))) => {
                    frames.pop();
                    frames.push(Frame::Map(Some(key.into_owned())));
                    spots.0.entry(path(&frames)).or_insert(span.start.line());
                    continue;
                }
                Event::SequenceStart(..) => frames.push(Frame::List),
                Event::MappingStart(..) => frames.push(Frame::Map(None)),
                Event::SequenceEnd | Event::MappingEnd => {
                    frames.pop();
                    end_of_value(&mut frames);
                }
                Event::Scalar(..) | Event::Alias(_) => end_of_value(&mut frames),
                Event::DocumentEnd => break,
                _ => {}
            }
        }
        spots
    }

    /// The line of a place, or of what is nearest around it; the first line where nothing is.
    pub fn line(&self, place: &str) -> usize {
        let found = self.operation(place).or_else(|| self.declared(place));
        found.unwrap_or(1)
    }

    fn at(&self, keys: &[&str]) -> Option<usize> {
        self.0.get(&keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>()).copied()
    }

    /// `GET /users/{id}`, `webhook paid`.
    fn operation(&self, place: &str) -> Option<usize> {
        if let Some(name) = place.strip_prefix("webhook ") {
            return self.at(&["webhooks", name]).or_else(|| self.at(&["webhooks"]));
        }
        let (method, rest) = place.split_once(" /")?;
        let (path, callback) = rest.split_once(" callback ").map_or((rest, None), |(path, name)| (path, Some(name)));
        let wanted = shape(&format!("/{path}"));
        let same = |keys: &&Vec<String>| keys.len() == 2 && keys[0] == "paths" && shape(&keys[1]) == wanted;
        let path = self.0.keys().filter(same).min()?;
        let method = method.to_lowercase();
        let at = |more: &[&str]| self.at(&[&["paths", &path[1], &method], more].concat());
        let called = callback.and_then(|name| at(&["callbacks", name]));
        called.or_else(|| at(&[])).or_else(|| self.at(&["paths", &path[1]]))
    }

    /// `orders.amount`, `orders.actions.cancel`, `v1 orders.address.street`, `scopes.read`.
    fn declared(&self, place: &str) -> Option<usize> {
        let (version, place) = match place.split_once(' ') {
            Some((version, rest)) if version.starts_with('v') => (Some(&version[1..]), rest),
            _ => (place.strip_prefix('v').filter(|rest| rest.parse::<u32>().is_ok()), place),
        };
        let steps: Vec<&str> = place.split(['.', '[']).collect();
        let own = match steps.as_slice() {
            ["scopes" | "api", ..] => self.deepest(&steps.join(".").splitn(2, '.').collect::<Vec<_>>(), 1),
            [resource, part @ ("actions" | "operations"), rest @ ..] => {
                self.deepest(&[&["resources", resource, part], rest].concat(), 2)
            }
            [resource, field, inner @ ..] => {
                let members = inner.iter().flat_map(|member| ["properties", member]);
                let keys: Vec<&str> = ["resources", resource, "fields", field].into_iter().chain(members).collect();
                self.deepest(&keys, 2)
            }
            [resource] => self.at(&["resources", resource]),
            [] => None,
        };
        let inner = version.and_then(|number| {
            let keys: Vec<&str> = ["versions", number].into_iter().chain(steps.first().copied()).collect();
            self.deepest(&keys, 2)
        });
        own.or(inner)
    }

    /// The line of as many of these keys as there are, and of no fewer than `least`.
    fn deepest(&self, keys: &[&str], least: usize) -> Option<usize> {
        (least..=keys.len()).rev().find_map(|length| self.at(&keys[..length]))
    }
}

fn end_of_value(frames: &mut [Frame]) {
    if let Some(Frame::Map(key)) = frames.last_mut() {
        *key = None;
    }
}

/// The keys that lead here. Lists are passed over.
fn path(frames: &[Frame]) -> Vec<String> {
    let keys = frames.iter().filter_map(|frame| if let Frame::Map(key) = frame { key.clone() } else { None });
    keys.collect()
}

/// A path whatever its parameters are called.
fn shape(path: &str) -> String {
    path.split('/').map(|step| if step.starts_with('{') { "{}" } else { step }).collect::<Vec<_>>().join("/")
}
