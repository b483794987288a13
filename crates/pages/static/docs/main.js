// Brings the reference to life: a form for each operation, and a sign-in for all of them.
import { byId, element } from "../playground/show.js";
import { say } from "../playground/words.js";
import * as answer from "./answer.js";
import { build } from "./form.js";
import { read, send } from "./request.js";
import * as signIn from "./sign_in.js";
import { current, whenHeld } from "./token.js";

for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;

for (const operation of document.querySelectorAll(".op")) {
  const button = operation.querySelector("[data-try]");
  button.addEventListener("click", () => (button.getAttribute("aria-expanded") === "true" ? close(operation) : open(operation)));
}

// A link to an operation shows it, and not its closed lid.
function unfold() {
  const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  return target || undefined;
}

function open(operation) {
  operation.open = true;
  operation.querySelector("[data-try]").setAttribute("aria-expanded", "true");
  // After a sign-in the reader comes back to what was tried last.
  document.documentElement.dataset.tried = operation.id;
  const place = operation.querySelector("[data-form]");
  if (place.childElementCount === 0) fill(place, operation);
  place.hidden = false;
  place.querySelector("input, select, textarea, button").focus({ preventScroll: true });
}

function close(operation) {
  operation.querySelector("[data-try]").setAttribute("aria-expanded", "false");
  operation.querySelector("[data-form]").hidden = true;
}

function fill(place, operation) {
  const form = build(operation);
  const told = element("div", { class: "told" });
  const hint = element("p", { class: "notice notice-plain" }, say("no-token"), " ", element("a", { href: "#try" }, say("sign-in")));
  const draw = () => {
    hint.hidden = Boolean(current());
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("[data-send]");
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    const request = read(operation, form);
    try {
      answer.show(told, operation, request, await send(request));
    } catch {
      answer.unreachable(told);
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
  whenHeld(draw);
  draw();
  place.append(element("div", { class: "try-box" }, hint, form, told));
}

addEventListener("hashchange", unfold);
const back = await signIn.arrive();
signIn.start();
const target = unfold();
if (back && target?.matches(".op")) open(target);
// What was closed when the browser looked for it stands elsewhere now.
if (target) target.scrollIntoView();
document.documentElement.dataset.ready = "yes";
