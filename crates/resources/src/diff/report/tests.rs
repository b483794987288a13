//! Reports: the forms that programs and people rely on.

use serde_json::Value;

use super::{Names, Spots, advice, json, markdown, sarif, summary};
use crate::diff::rule;
use crate::diff::{Finding, RULES};

const NAMES: Names<'_> = Names { old: "old.yaml", new: "my api.yaml" };

fn findings() -> Vec<Finding> {
    let lens = "- { remove: orders.note, value: null }".to_owned();
    vec![
        Finding::new(&rule::FIELD_REMOVED, "orders.note", "`note` is gone.").with_lens(lens),
        Finding::new(&rule::ENDPOINT_ADDED, "orders|`x`", "There is <b> | *more*."),
        Finding::new(&rule::ENDPOINT_DEPRECATED, "GET /a", "The endpoint is deprecated."),
    ]
}

#[test]
fn json_counts_and_names_everything() {
    let value = json(&findings(), NAMES);

    assert_eq!((&value["breaking"], &value["compatible"], &value["informational"]), (&1.into(), &1.into(), &1.into()));
    let first = &value["findings"][0];
    assert_eq!((&first["rule"], &first["severity"]), (&"field-removed".into(), &"breaking".into()));
    assert_eq!((&first["place"], &first["told"]), (&"orders.note".into(), &"`note` is gone.".into()));
    assert_eq!(first["lens"], "- { remove: orders.note, value: null }");
    assert_eq!(value["findings"][1]["lens"], Value::Null);
}

#[test]
fn sarif_has_all_that_the_standard_requires() {
    let log = sarif(&findings(), NAMES, &Spots::default(), "1.2.3");

    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string());
    let rules = driver["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"], "each result points at its rule");
        assert!(["error", "warning", "note", "none"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20api.yaml");
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
        assert!(result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string));
    }
    assert_eq!(run["results"][0]["level"], "error");
    assert_eq!(sarif(&[], NAMES, &Spots::default(), "1")["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn nothing_in_a_document_becomes_markup() {
    let text = markdown(&findings(), NAMES);

    assert!(text.contains("| `field-removed` | `orders.note` | `note` is gone. |"), "{text}");
    assert!(text.contains("| `orders\\| x ` | There is &lt;b> \\| \\*more\\*. |"), "{text}");
    assert!(text.contains("```yaml\n- { remove: orders.note, value: null }\n```"), "{text}");
}

#[test]
fn the_last_line_says_what_to_do() {
    assert_eq!(summary(&[]), "Clients notice nothing.");
    assert_eq!(summary(&findings()), "1 breaking change, 1 compatible, 1 to know of.");
    assert!(advice(&findings()).contains("`changes:`"));
    assert_eq!(advice(&findings()[1..]), "Release it as the same version; clients work on.");
}

#[test]
fn the_documentation_lists_every_rule_as_it_is() {
    let page = include_str!("../../../../../docs/api-diff.md");
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `") && !line.starts_with("| `--")).collect();
    let rules: Vec<String> =
        RULES.iter().map(|rule| format!("| `{}` | {} | {} |", rule.name, rule.severity.as_str(), rule.says)).collect();

    assert_eq!(listed, rules, "docs/api-diff.md");
}

#[test]
fn a_lens_that_absorbs_several_changes_is_proposed_once() {
    let text = markdown(&[findings(), findings()].concat(), NAMES);

    assert_eq!(text.matches("- { remove: orders.note, value: null }").count(), 1, "{text}");
}

#[test]
fn a_place_has_the_line_of_its_nearest_key() {
    let declaration = "api: { name: shop }
scopes:
  all:read: Everything
versions:
  1:
    released: 2025-01-01
resources:
  orders:
    fields:
      amount: { type: integer }
      address:
        type: object
        properties:
          street: { type: string }
    actions:
      cancel: {}
";
    let spots = Spots::read(declaration);
    for (place, line) in [
        ("orders.amount", 10),
        ("orders.address.street", 14),
        ("orders.address.city", 13),
        ("orders.gone", 9),
        ("v1 orders.amount", 10),
        ("v1 purchases.total", 5),
        ("v1 released", 6),
        ("v1", 5),
        ("orders.actions.cancel", 16),
        ("orders.operations.delete", 8),
        ("orders", 8),
        ("scopes.all:read", 3),
        ("api.default_version", 1),
        ("things.name", 1),
        ("the documents", 1),
    ] {
        assert_eq!(spots.line(place), line, "{place}");
    }
}

#[test]
fn operations_have_the_lines_of_their_document() {
    let document = "{
  \"openapi\": \"3.1.0\",
  \"paths\": {
    \"/users/{user}\": {
      \"get\": { \"responses\": {} },
      \"put\": {
        \"callbacks\": { \"done\": {} }
      }
    }
  },
  \"webhooks\": {
    \"paid\": {}
  }
}";
    let spots = Spots::read(document);
    for (place, line) in [
        ("GET /users/{id}", 5),
        ("DELETE /users/{id}", 4),
        ("GET /nothing", 1),
        ("PUT /users/{id} callback done", 7),
        ("webhook paid", 12),
    ] {
        assert_eq!(spots.line(place), line, "{place}");
    }
    assert_eq!(Spots::read("{ \"a\": [").line("orders.x"), 1);
}
