//! The whole: what is told, where, and how it is shown. Each part tests its own rules.

mod arbitrary;

use super::*;

/// The only fault of a text.
#[track_caller]
pub(super) fn fault(text: &str) -> Fault {
    let mut faults = read(text).expect_err("nothing was wrong");
    assert_eq!(faults.len(), 1, "{faults:#?}\n{text}");
    faults.remove(0)
}

/// The warnings of a text that is otherwise in order.
#[track_caller]
pub(super) fn warnings(text: &str) -> Vec<Fault> {
    read(text).unwrap().warnings
}

/// A declaration with this below `things:`. Its first line is line 4, and begins at column 5.
pub(super) fn thing(rest: &str) -> String {
    format!("api: {{ name: a }}\nresources:\n  things:\n    {}\n", rest.replace('\n', "\n    "))
}

/// A declaration with these fields. Their first line is line 5, and begins at column 7.
pub(super) fn fields(rest: &str) -> String {
    thing(&format!("fields:\n  {}", rest.replace('\n', "\n  ")))
}

/// Line, column, path, suggestion.
pub(super) fn place(fault: &Fault) -> (usize, usize, &str, Option<&str>) {
    (fault.line, fault.column, fault.path.as_str(), fault.suggestion.as_deref())
}

#[test]
fn everything_that_is_wrong_is_told_at_once_in_the_order_of_the_file() {
    let text = "api: { nam: a }\nscope: {}\nresources:\n  things:\n    feilds: {}\n    own: yes\n";

    let faults = read(text).unwrap_err();

    let places: Vec<_> = faults.iter().map(place).collect();
    let expected = [
        (1, 1, "api", None),
        (1, 8, "api.nam", Some("name")),
        (2, 1, "scope", Some("scopes")),
        (4, 3, "resources.things", None),
        (5, 5, "resources.things.feilds", Some("fields")),
        (6, 10, "resources.things.own", Some("true")),
    ];
    assert_eq!(places, expected, "{faults:#?}");
}

#[test]
fn a_fault_is_shown_with_its_line_and_a_caret() {
    let text = fields("amount: { type: integer, fliter: true }");

    let shown = fault(&text).show("api.yaml", &text);

    let expected = "\
api.yaml:5:32: `fliter` is no keyword of a field. Did you mean `filter`?
  |
5 |       amount: { type: integer, fliter: true }
  |                                ^^^^^^
  = in resources.things.fields.amount.fliter";
    assert_eq!(shown, expected);
}

#[test]
fn a_long_line_is_shown_in_part() {
    let text = format!("api: {{ name: a, description: \"{}\", nmae: b }}\nresources: {{}}", "x".repeat(5000));

    let faults = read(&text).unwrap_err();
    let shown = faults[0].show("api.yaml", &text);

    assert!(shown.lines().all(|line| line.chars().count() < 130), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let caret = lines[3].find('^').unwrap();
    assert_eq!(&lines[2][caret..caret + 4], "nmae");
}

#[test]
fn a_declaration_needs_a_name_and_resources() {
    assert!(fault("resources: { things: { fields: { a: {} } } }").message.contains("no `api`"));
    assert!(fault("api: { name: a }").message.contains("no `resources`"));
    assert!(fault("api: { name: a }\nresources: {}").message.contains("no resources"));
    assert_eq!(place(&fault("api: { name: My Shop }\nresources: { things: { fields: { a: {} } } }")).1, 14);
    assert!(fault("").message.contains("valetkey init"));
    assert!(fault("# nothing\n").message.contains("valetkey init"));
    assert!(fault("[]").message.contains("takes a map"));
    assert!(fault("~").message.contains("takes a map"));
    assert!(fault("api: { name: a }\nresources:\n  users:\n").message.contains("no `fields`"));
    assert!(fault("api: { name: a }\nresources:\n").message.contains("no resources"));
    assert!(fault(&fields("a: {}").replace("api: { name: a }", "api: { name: 7 }")).message.contains("quotes"));
}

#[test]
fn the_title_of_an_api_follows_from_its_name() {
    let api = read(&fields("a: {}").replace("name: a", "name: my-shop_2")).unwrap().api;

    assert_eq!(api.title, "My shop 2");
}

#[test]
fn a_hundred_faults_are_enough() {
    let text: String = (0..500).map(|key| format!("k{key}: 1\n")).collect();

    assert_eq!(read(&text).unwrap_err().len(), 100);
}

#[test]
fn scopes_have_names_and_words() {
    let scopes = |scopes: &str| fields("a: {}") + "scopes:\n  " + scopes + "\n";

    let openid = fault(&scopes("openid: Sign in"));
    assert!(openid.message.contains("OpenID Connect"), "{openid}");
    assert_eq!(place(&openid), (7, 3, "scopes.openid", None));
    assert!(fault(&scopes("'read users': See")).message.contains("no spaces"));
    assert!(fault(&scopes("r: ''")).message.contains("empty"));
    assert!(fault(&scopes("r: { sensitive: true }")).message.contains("no `description`"));
    assert_eq!(fault(&scopes("r: { descripton: x, description: y }")).suggestion.as_deref(), Some("description"));
    let many: String = (0..51).map(|scope| format!("s{scope}: x\n  ")).collect();
    assert!(read(&scopes(&many)).unwrap_err()[0].message.contains("more than 50"));
}

#[test]
fn scopes_that_nothing_needs_and_operations_that_need_none_are_doubtful() {
    let text = thing("scopes: { read: r }\nfields: { a: {} }") + "scopes: { r: Read, w: Write }\n";

    let warnings = warnings(&text);

    let places: Vec<_> = warnings.iter().map(place).collect();
    assert_eq!(places, [(4, 5, "resources.things.scopes", None), (6, 20, "scopes.w", None)]);
    assert!(warnings[0].message.contains("`create`, `replace`, `update` and `delete` `things`"), "{}", warnings[0]);
}
