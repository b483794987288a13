// Puts values into the page. Only ever as text: what a server answers is never taken for markup.
import { asAnswer, asCurl, asHttp, succeeded } from "./wire.js";
import { say } from "./words.js";

export function byId(id) {
  return document.getElementById(id);
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

// Sets every place that waits for this value.
export function fill(name, text = "", kind = "value") {
  for (const place of document.querySelectorAll(`[data-${kind}="${name}"]`)) place.textContent = text;
}

export function showOnly(name, condition) {
  for (const place of document.querySelectorAll(`[data-show="${name}"]`)) place.hidden = !condition;
}

export function enable(id, condition) {
  byId(id).disabled = !condition;
}

// While a press is being answered, further ones are not taken.
export function press(id, action) {
  let busy = false;
  byId(id).addEventListener("click", async () => {
    if (busy) return;
    busy = true;
    try {
      await action();
    } finally {
      busy = false;
    }
  });
}

// Long ones scroll, so that a page stays readable; the keyboard reaches them too.
export function pre(text) {
  return element("pre", { class: "wrapped", tabindex: "0" }, element("code", {}, text));
}

// A code or a token is much longer than what a person compares.
export function short(text = "") {
  return text.length > 96 ? `${text.slice(0, 48)} … ${text.slice(-12)}` : text;
}

export function done(id, condition) {
  byId(id).classList.toggle("done", Boolean(condition));
}

// Pairs of a name and a value.
export function values(list, pairs) {
  list.replaceChildren(
    ...pairs.map(([name, value]) =>
      element("div", {}, element("dt", {}, element("code", {}, name)), element("dd", {}, element("code", {}, value))),
    ),
  );
}

// Sentences that are either right or wrong; the word for it stands before the colour.
export function checks(list, results) {
  list.replaceChildren(
    ...results.map(([name, holds]) =>
      element("li", { class: holds ? "holds" : "fails", "data-check": name }, say(`${name}-${holds ? "ok" : "bad"}`)),
    ),
  );
}

// Shows a request with its answer, and why the answer is what it is.
export function exchange(slot, it, why) {
  const place = document.querySelector(`[data-slot="${slot}"]`);
  place.replaceChildren();
  if (!it) return;
  place.append(
    element(
      "div",
      { class: "exchange", "data-status": String(it.status) },
      element("div", {}, label("request", `${it.method} ${it.path}`), pre(asHttp(it)), curl(it)),
      element("div", {}, label("answer", it.status ? String(it.status) : "–", it), it.status ? pre(asAnswer(it)) : ""),
    ),
    verdict(it, why),
  );
}

// The detail and the link of an error; the reason in plain words; nothing where all went well without comment.
export function verdict(it, why) {
  const box = element("div");
  if (it.status === 0) box.append(element("p", { class: "notice notice-bad" }, say("network")));
  else if (isFault(it)) box.append(fault(it.json.detail, it.json.type));
  if (why && it.status !== 0) box.append(element("p", { class: "why" }, say(why)));
  return box;
}

// Says an answer to those who do not see it appear.
export function announce(it, why) {
  if (!it) return;
  const words = [say("answer"), String(it.status), isFault(it) ? it.json.detail : "", why ? say(why) : ""];
  byId("play-live").textContent = it.status === 0 ? say("network") : words.filter(Boolean).join(" ");
}

// To wait is no fault.
function isFault(it) {
  return !succeeded(it) && Boolean(it.json?.detail) && it.json.error !== "authorization_pending";
}

export function fault(detail, type) {
  const words = element("p", { class: "notice notice-bad" }, detail);
  const link = own(type);
  if (link) words.append(" ", element("a", { href: link }, say("type")));
  return words;
}

// An address of this server, or nothing: what an answer names is not followed elsewhere.
export function own(address) {
  const url = URL.canParse(address ?? "", location.origin) && address ? new URL(address, location.origin) : undefined;
  return url?.origin === location.origin ? url.href : undefined;
}

function label(word, text, it) {
  const kind = it === undefined ? "" : succeeded(it) ? " badge-good" : " badge-bad";
  return element("p", { class: "label" }, say(word), " ", element("span", { class: `badge${kind}` }, text));
}

function curl(it) {
  return element("details", {}, element("summary", {}, say("curl")), pre(asCurl(it)));
}
