// The device flow: this page is the device. It shows a code, and asks until a person has decided elsewhere.
import { app, scope } from "./settings.js";
import * as show from "./show.js";
import { say } from "./words.js";
import { send, succeeded } from "./wire.js";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
// RFC 8628 §3.2 and §3.5: five seconds where nothing is said, and five more after each slow_down.
const USUAL_INTERVAL = 5;
const SLOWER = 5;

let waiting; // { code, interval, timer }, while the device asks

export async function start() {
  show.showOnly("device", false);
  show.press("device-start", begin);
  show.press("device-hurry", async () => {
    if (waiting) await poll();
  });
  show.press("device-stop", stop);
}

async function begin() {
  stop();
  show.byId("device-polls").replaceChildren();
  show.exchange("device-poll");
  for (const step of ["device-enter", "device-wait"]) show.done(step, false);
  const exchange = await send({ path: "/device/code", form: { client_id: app, scope } });
  const absent = [404, 405, 501].includes(exchange.status);
  show.exchange("device", exchange, absent ? "device-absent" : undefined);
  show.announce(exchange, absent ? "device-absent" : undefined);
  const answer = exchange.json;
  show.showOnly("device", succeeded(exchange));
  show.done("device-ask", succeeded(exchange));
  if (!succeeded(exchange)) return;
  show.fill("user-code", answer.user_code);
  show.fill("verification-uri", answer.verification_uri);
  show.byId("device-open").href = show.own(answer.verification_uri_complete ?? answer.verification_uri) ?? "/device";
  const picture = show.own(answer.verification_qr_uri);
  const qr = show.byId("device-qr");
  qr.hidden = !picture;
  if (picture) qr.src = picture;
  waiting = { code: answer.device_code, interval: answer.interval ?? USUAL_INTERVAL };
  buttons();
  schedule();
}

function schedule() {
  show.fill("interval", String(waiting.interval));
  clearTimeout(waiting.timer);
  waiting.timer = setTimeout(poll, waiting.interval * 1000);
}

async function poll() {
  const asked = waiting;
  clearTimeout(asked.timer);
  const exchange = await send({ path: "/token", form: { grant_type: GRANT, device_code: asked.code, client_id: app } });
  // Meanwhile another code may have been asked for.
  if (waiting !== asked) return;
  const word = outcome(exchange);
  show.exchange("device-poll", exchange, word);
  line(exchange, word);
  for (const step of ["device-enter", "device-wait"]) show.done(step, word === "device-approved");
  if (word === "device-slower") asked.interval += SLOWER;
  if (word === "device-waiting" || word === "device-slower") schedule();
  else stop();
}

function outcome(exchange) {
  if (succeeded(exchange)) return "device-approved";
  return {
    authorization_pending: "device-waiting",
    slow_down: "device-slower",
    access_denied: "device-denied",
    expired_token: "device-expired",
  }[exchange.json?.error];
}

function line(exchange, word) {
  const code = exchange.json?.error ?? String(exchange.status);
  const time = new Date().toLocaleTimeString(document.documentElement.lang);
  show.byId("device-polls").append(
    show.element("li", { "data-poll": code }, `${time} `, show.element("code", {}, code), ` ${word ? say(word) : ""}`),
  );
}

function stop() {
  clearTimeout(waiting?.timer);
  waiting = undefined;
  buttons();
}

function buttons() {
  for (const id of ["device-hurry", "device-stop"]) show.enable(id, waiting !== undefined);
}
