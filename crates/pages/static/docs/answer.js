// Shows what came back. Only ever as text: what a server answers is never taken for markup.
import { byId, element, own, pre } from "../playground/show.js";
import { say } from "../playground/words.js";
import { choose } from "./ids.js";
import { asCurl } from "./request.js";

const PART = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function show(place, operation, request, answer) {
  const good = answer.status < 400;
  const badge = element("span", { class: `badge ${good ? "badge-good" : "badge-bad"}` }, String(answer.status));
  const took = element("span", { class: "took" }, `${Math.round(answer.took)} ms`);
  place.replaceChildren(
    element("p", { class: "label" }, say("answer"), " ", badge, " ", took),
    ...problem(answer),
    ...next(operation, answer),
    body(answer),
    folded("headers", pre(answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n"))),
    folded("curl", pre(asCurl(request))),
  );
  place.dataset.status = String(answer.status);
  announce(`${say("answer")} ${answer.status} ${(!good && answer.json?.detail) || ""}`);
}

export function unreachable(place) {
  place.dataset.status = "0";
  place.replaceChildren(element("p", { class: "notice notice-bad" }, say("network")));
  announce(say("network"));
}

export function announce(words) {
  byId("docs-live").textContent = words;
}

function folded(word, content) {
  return element("details", { class: "more" }, element("summary", {}, say(word)), content);
}

// What is wrong, in the words of the server, with each field that it names.
function problem({ status, json }) {
  if (status < 400 || !json?.title) return [];
  const words = element("p", {}, element("strong", {}, json.title), " ", ...prose(json.detail), " ");
  const link = own(json.type);
  if (link) words.append(element("a", { href: link }, say("explained")));
  const errors = (Array.isArray(json.errors) ? json.errors : []).map(({ field, code, detail }) =>
    element("li", {}, element("code", {}, field), " ", element("strong", {}, code), " ", ...prose(detail)),
  );
  return [element("div", { class: "notice notice-bad" }, words, errors.length > 0 ? element("ul", {}, ...errors) : "")];
}

// What stands between backticks is code.
function prose(text = "") {
  return text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

// Whoever has made something wants to read, change or pay it next.
function next(operation, { status, json }) {
  if ((status !== 201 && status !== 202) || typeof json?.id !== "string") return [];
  const resource = status === 202 ? "operations" : operation.dataset.resource;
  const button = element("button", { class: "button button-quiet", type: "button", "data-use-id": "" });
  button.append(`${say("use-id")} ${resource}`);
  button.addEventListener("click", () => {
    choose(resource, json.id);
    button.textContent = say("used-id");
    announce(say("used-id"));
  });
  return [element("p", { class: "use-id" }, button)];
}

function body({ text, json }) {
  if (!text) return element("p", { class: "quiet" }, say("empty"));
  if (json === undefined) return pre(text);
  const code = element("code", {}, ...coloured(JSON.stringify(json, null, 2)));
  return element("pre", { class: "wrapped json", tabindex: "0" }, code);
}

function coloured(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(PART)) {
    parts.push(text.slice(at, found.index));
    const [whole, string, colon] = found;
    if (colon) parts.push(element("span", { class: "json-name" }, string), colon);
    else parts.push(element("span", { class: string ? "json-text" : "json-value" }, whole));
    at = found.index + whole.length;
  }
  return [...parts, text.slice(at)];
}
