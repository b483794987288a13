// Makes a form of an operation, from what its description in the page says.
import { element } from "../playground/show.js";
import { say } from "../playground/words.js";
import { known } from "./ids.js";

const GROUPS = ["path", "query", "header"];
let count = 0;

export function build(operation) {
  const form = element("form", { class: "try-form", method: "post", autocomplete: "off" });
  for (const group of GROUPS) {
    const fields = [...operation.querySelectorAll(`[data-parameter][data-in="${group}"]`)].map(parameter);
    if (fields.length === 0) continue;
    form.append(
      element("fieldset", {}, element("legend", {}, say(`in-${group}`)), element("div", { class: "try-grid" }, ...fields)),
    );
  }
  const bodies = [...operation.querySelectorAll("[data-media-type]")];
  if (bodies.length > 0) form.append(bodyOf(bodies));
  form.append(
    element("p", { class: "actions" }, element("button", { class: "button", type: "submit", "data-send": "" }, say("send"))),
  );
  // Where a body is written, Enter begins a line.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return form;
}

function parameter(row) {
  const { parameter: name, in: place, kind, choices, operators, of } = row.dataset;
  const id = `field-${(count += 1)}`;
  const marks = { id, "data-name": name, "data-place": place };
  if ("required" in row.dataset) marks.required = "";
  let field;
  if (choices) {
    const values = ["", ...choices.split("\n")];
    field = element("select", marks, ...values.map((value) => element("option", { value }, value || say("any"))));
  } else {
    field = element("input", { ...marks, type: "text", placeholder: kind, spellcheck: "false", autocapitalize: "none" });
  }
  if (of) {
    field.dataset.of = of;
    field.value = known(of);
  }
  const label = element("label", { for: id }, name);
  if (!operators) return element("div", { class: "field" }, label, field);
  const names = ["", ...operators.split(" ")];
  const compare = element(
    "select",
    { "aria-label": `${say("compare")} ${name}`, "data-compare": "" },
    ...names.map((operator) => element("option", { value: operator }, operator || "=")),
  );
  return element("div", { class: "field" }, label, element("div", { class: "compared" }, compare, field));
}

function bodyOf(bodies) {
  const id = `field-${(count += 1)}`;
  const text = element("textarea", { id, "data-body": "", spellcheck: "false", autocapitalize: "none" });
  const types = bodies.map((body) => body.dataset.mediaType);
  const kind = element(
    "select",
    { id: `${id}-type`, "data-type": "" },
    ...types.map((type) => element("option", { value: type }, type)),
  );
  const example = () => bodies[kind.selectedIndex].textContent;
  // What a person wrote stays; an example makes room for the next one.
  let shown = "required" in bodies[0].dataset ? example() : "";
  text.value = shown;
  text.rows = Math.min(16, Math.max(4, ...bodies.map((body) => body.textContent.split("\n").length + 1)));
  kind.addEventListener("change", () => {
    if (text.value === shown) text.value = shown = example();
  });
  return element(
    "fieldset",
    {},
    element("legend", {}, say("in-body")),
    element("div", { class: "field" }, element("label", { for: `${id}-type` }, say("media-type")), kind),
    element("div", { class: "field" }, element("label", { for: id }, say("json")), text),
  );
}
