//! `changes`: what happened since the version before, one thing after the other.

use serde_json::Value;

use super::super::report::Report;
use super::super::spot::Spot;
use super::super::yaml::{Tree, short};
use super::super::{field, names};
use crate::model::{Change, Codec, Operation, Step};

/// Each kind of change, and what stands beside it.
pub(in super::super) const VERBS: [(&str, &[&str]); 7] = [
    ("rename", &["to", "lossy"]),
    ("retype", &["from", "codec", "lossy"]),
    ("add", &["value", "lossy"]),
    ("remove", &["from", "lossy"]),
    ("enum", &["values", "shown", "lossy"]),
    ("move", &["to", "lossy"]),
    ("status", &["from", "lossy"]),
];
/// More changes than this are another API.
const MOST: usize = 500;

pub(super) fn read(spot: &Spot<'_>, resources: &[&str], report: &mut Report) -> Vec<Step> {
    if matches!(spot.node.tree, Tree::Null) {
        return Vec::new();
    }
    let items = spot.items(report);
    if items.len() > MOST {
        spot.wrong_key(format!("There are more than {MOST} changes."), None, report);
        return Vec::new();
    }
    items.iter().filter_map(|item| read_one(item, resources, report)).collect()
}

fn read_one(spot: &Spot<'_>, resources: &[&str], report: &mut Report) -> Option<Step> {
    if !matches!(spot.node.tree, Tree::Map(_)) {
        spot.wrong_kind("a change such as `{ rename: orders.total, to: amount }`", report);
        return None;
    }
    let said: Vec<_> = VERBS.iter().filter_map(|verb| Some((verb, spot.get(verb.0)?))).collect();
    let [((verb, beside), target)] = said.as_slice() else {
        let words: Vec<&str> = VERBS.iter().map(|(verb, _)| *verb).collect();
        if said.is_empty() {
            // Told with the word that was probably meant.
            let every: Vec<&str> = words.iter().copied().chain(["to", "from", "codec", "value", "lossy"]).collect();
            let before = report.faults.len();
            spot.keys("a change", &every, report);
            if report.faults.len() == before {
                spot.wrong(format!("It does not say what changed: one of {}.", words.join(", ")), report);
            }
        } else {
            spot.wrong("It says two things at once. Make two changes of it.", report);
        }
        return None;
    };
    let known: Vec<&str> = std::iter::once(*verb).chain(beside.iter().copied()).collect();
    let before = report.faults.len();
    spot.keys(&format!("`{verb}`"), &known, report);
    if report.faults.len() > before {
        return None;
    }
    let is_lossy = spot.get("lossy").and_then(|flag| flag.flag(report)).unwrap_or_default();
    let what = What::read(target, report)?;
    let change = match *verb {
        "rename" => rename(spot, &what, report)?,
        "retype" => retype(spot, &what, report)?,
        "add" => add(spot, &what),
        "remove" => remove(spot, &what, resources, report)?,
        "enum" => reword(spot, &what, report)?,
        "move" => relocate(spot, &what, report)?,
        _ => status(spot, &what, report)?,
    };
    let resource = match (&change, &what) {
        (Change::ResourceRenamed { .. }, _) => spot.get("to").and_then(|to| to.text(report))?.to_owned(),
        _ => what.resource.clone(),
    };
    Some(Step { resource, change, is_lossy })
}

/// What a change is about: `orders`, `orders.amount`, `orders.actions.cancel`, `orders.operations.delete`.
struct What<'t> {
    resource: String,
    path: Vec<String>,
    target: &'t Spot<'t>,
}

impl<'t> What<'t> {
    fn read(target: &'t Spot<'t>, report: &mut Report) -> Option<Self> {
        let text = target.text(report)?;
        let mut parts = text.split('.').map(str::to_owned);
        let resource = parts.next().unwrap_or_default();
        let path: Vec<String> = parts.collect();
        if !names::is_name(&resource) || path.iter().any(String::is_empty) || path.len() > 10 {
            let message =
                format!("`{}` names nothing. Write `orders`, `orders.amount` or `orders.actions.cancel`.", short(text));
            target.wrong(message, report);
            return None;
        }
        Some(Self { resource, path, target })
    }

    fn action(&self) -> Option<&String> {
        self.path.get(1).filter(|_| self.path.len() == 2 && self.path[0] == "actions")
    }

    fn operation(&self, report: &mut Report) -> Option<Option<Operation>> {
        if self.path.len() != 2 || self.path[0] != "operations" {
            return Some(None);
        }
        let found = Operation::ALL.into_iter().find(|operation| operation.as_str() == self.path[1]);
        if found.is_none() {
            let words = Operation::ALL.map(Operation::as_str).join(", ");
            self.target.wrong(format!("`{}` is no operation: {words}.", short(&self.path[1])), report);
            return None;
        }
        Some(found)
    }

    /// A field of the resource, and not a part of one.
    fn field(&self, report: &mut Report) -> Option<String> {
        if let [field] = self.path.as_slice() {
            return Some(field.clone());
        }
        let message = format!("This is about a field: write `{}.<field>`.", self.resource);
        self.target.wrong(message, report);
        None
    }
}

fn named(spot: &Spot<'_>, key: &str, told: &str, report: &mut Report) -> Option<String> {
    let Some(found) = spot.get(key) else {
        spot.wrong(format!("It has no `{key}`: {told}."), report);
        return None;
    };
    let text = found.text(report)?;
    if !names::is_name(text) {
        found.wrong(format!("`{}` cannot be a name: it has small letters, digits and `_`.", short(text)), report);
        return None;
    }
    Some(text.to_owned())
}

fn rename(spot: &Spot<'_>, what: &What<'_>, report: &mut Report) -> Option<Change> {
    let to = named(spot, "to", "the name it has now", report)?;
    if what.path.is_empty() {
        if !names::may_be_resource(&what.resource) {
            let message =
                format!("No resource can have been called `{}`: that address means something else.", what.resource);
            what.target.wrong(message, report);
            return None;
        }
        let from = what.resource.clone();
        let singular = names::singular(&from).unwrap_or_else(|| from.clone());
        return Some(Change::ResourceRenamed { from, singular });
    }
    if let Some(action) = what.action() {
        return Some(Change::ActionRenamed { from: action.clone(), to });
    }
    let from = what.field(report)?;
    if from == "id" || from == "links" {
        what.target.wrong(format!("No field can have been called `{from}`: every row has its own."), report);
        return None;
    }
    Some(Change::Renamed { from, to })
}

fn retype(spot: &Spot<'_>, what: &What<'_>, report: &mut Report) -> Option<Change> {
    let Some(from) = spot.get("from") else {
        spot.wrong("It has no `from`: the schema that the field had.", report);
        return None;
    };
    let Some(codec) = spot.get("codec") else {
        spot.wrong("It has no `codec`: how one value is made from the other.", report);
        return None;
    };
    let before = report.faults.len();
    super::super::schema::check(&from, report);
    let schema = super::super::schema::with_type(from.node.to_json());
    if report.faults.len() == before {
        super::super::schema::prepare(&from, &schema, report)?;
    }
    Some(Change::Retyped { field: what.field(report)?, from: schema, codec: read_codec(&codec, report)? })
}

fn read_codec(spot: &Spot<'_>, report: &mut Report) -> Option<Codec> {
    if !matches!(spot.node.tree, Tree::Map(_)) {
        return match spot.word("codec", &["text", "epoch", "epoch_millis", "list"], report)? {
            "text" => Some(Codec::Text),
            "epoch" => Some(Codec::Epoch),
            "epoch_millis" => Some(Codec::EpochMillis),
            _ => Some(Codec::List),
        };
    }
    spot.keys("a codec", &["decimal", "map"], report);
    if let Some(digits) = spot.get("decimal") {
        let number = if let Tree::Number(number) = &digits.node.tree { number.as_u64() } else { None };
        let number = number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number <= 15);
        if number.is_none() {
            digits.wrong_kind("the number of digits after the point, at most 15", report);
        }
        return number.map(Codec::Decimal);
    }
    let map = spot.get("map").map(|map| Codec::Map(pairs(&map, report)));
    if map.is_none() {
        spot.wrong("It says no codec: `{ decimal: 2 }` or `{ map: { old: new } }`.", report);
    }
    map
}

/// `{ old: new }`, or a list of pairs where what is old is no text.
fn pairs(spot: &Spot<'_>, report: &mut Report) -> Vec<(Value, Value)> {
    if !matches!(spot.node.tree, Tree::List(_)) {
        let entries = spot.entries(report);
        return entries.iter().map(|entry| (Value::String(entry.name().to_owned()), entry.node.to_json())).collect();
    }
    let mut pairs = Vec::new();
    for item in spot.items(report) {
        match item.items(report).as_slice() {
            [one, other] => pairs.push((one.node.to_json(), other.node.to_json())),
            _ => item.wrong_kind("a pair: what it was, and what it is", report),
        }
    }
    pairs
}

fn add(spot: &Spot<'_>, what: &What<'_>) -> Change {
    match (what.action(), what.path.as_slice()) {
        (Some(action), _) => Change::ActionAdded(action.clone()),
        (None, []) => Change::ResourceAdded,
        (None, [kind, word]) if kind == "operations" => {
            let operation = Operation::ALL.into_iter().find(|operation| operation.as_str() == *word);
            operation.map_or_else(|| Change::Added { field: word.clone(), value: None }, Change::OperationAdded)
        }
        (None, path) => {
            Change::Added { field: path.join("."), value: spot.get("value").map(|value| value.node.to_json()) }
        }
    }
}

fn remove(spot: &Spot<'_>, what: &What<'_>, resources: &[&str], report: &mut Report) -> Option<Change> {
    if what.path.is_empty() {
        return Some(Change::ResourceRemoved);
    }
    if let Some(action) = what.action() {
        return Some(Change::ActionRemoved(action.clone()));
    }
    if let Some(operation) = what.operation(report)? {
        return Some(Change::OperationRemoved(operation));
    }
    let name = what.field(report)?;
    let from = match spot.get("from") {
        Some(from) => Some(Box::new(field::read_as(&from, &name, resources, report)?)),
        None => None,
    };
    Some(Change::Removed { field: name, from })
}

fn reword(spot: &Spot<'_>, what: &What<'_>, report: &mut Report) -> Option<Change> {
    let field = what.field(report)?;
    let values = spot.get("values").map(|values| pairs(&values, report)).unwrap_or_default();
    let shown = spot.get("shown").map(|shown| pairs(&shown, report)).unwrap_or_default();
    if values.is_empty() && shown.is_empty() {
        spot.wrong("It says no words. Add `values: { old: new }`.", report);
        return None;
    }
    Some(Change::Reworded { field, values, shown })
}

fn relocate(spot: &Spot<'_>, what: &What<'_>, report: &mut Report) -> Option<Change> {
    let Some(to) = spot.get("to") else {
        spot.wrong("It has no `to`: where it stands now, such as `address.street`.", report);
        return None;
    };
    let text = to.text(report)?;
    let path: Vec<String> = text.split('.').map(str::to_owned).collect();
    if path.iter().any(String::is_empty) || path.len() > 10 || what.path.is_empty() {
        to.wrong(format!("`{}` is no place such as `address.street`.", short(text)), report);
        return None;
    }
    Some(Change::Moved { from: what.path.clone(), to: path })
}

fn status(spot: &Spot<'_>, what: &What<'_>, report: &mut Report) -> Option<Change> {
    let word = what.field(report)?;
    let Some(operation) = Operation::ALL.into_iter().find(|operation| operation.as_str() == word) else {
        let words = Operation::ALL.map(Operation::as_str).join(", ");
        what.target.wrong(format!("`{}` is no operation: {words}.", short(&word)), report);
        return None;
    };
    let from = spot.get("from").and_then(|from| match &from.node.tree {
        Tree::Number(number) => number.as_u64().and_then(|status| u16::try_from(status).ok()),
        _ => None,
    });
    if from.is_none() {
        spot.wrong("It has no `from`: the status that it answered with, such as 200.", report);
    }
    Some(Change::Status { operation, from: from? })
}
