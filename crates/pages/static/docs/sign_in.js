// Gets a token by the authorization code with PKCE, in this tab, or from a person who has one.
import { base64url, hash, random } from "../playground/encode.js";
import { byId, press } from "../playground/show.js";
import { say } from "../playground/words.js";
import { recall, remember } from "./memory.js";
import { client, issuer, redirect } from "./settings.js";
import { current, hold, whenHeld } from "./token.js";

// Reads what came back with the browser, and takes it out of the address bar and the history before anything else runs.
// Answers where the reader was.
export async function arrive() {
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  if (!answer.code && !answer.error) return undefined;
  const { attempt } = recall();
  const ours = attempt && answer.state === attempt.state && answer.iss === issuer;
  // Codes are sent to one address, which is registered. The reader goes on where they were: in the pages of another version.
  if (ours && attempt.page !== location.pathname && /^\/api\/(v\d+\/)?docs$/.test(attempt.page)) {
    location.replace(attempt.page + location.search);
    return new Promise(() => {});
  }
  remember({ attempt: undefined });
  history.replaceState(null, "", location.pathname);
  // RFC 9700 §4.7 and RFC 9207: an answer with another state or of another issuer was not asked for by this tab. Its
  // words are a stranger's, and are not repeated.
  if (!ours) fault(say("state"));
  else if (answer.error) fault(`${say("refused")} ${answer.error_description ?? answer.error}`);
  else await redeem(answer.code, attempt);
  const place = (current() && attempt.place) || "#try";
  history.replaceState(null, "", place);
  return place;
}

export function start() {
  const field = byId("try-client");
  field.value = recall().client ?? client;
  byId("try-register").open = field.value === "";
  byId("try-form").addEventListener("submit", (event) => {
    event.preventDefault();
    leave(field.value.trim());
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    hold({ access_token: byId("paste-token").value.trim() });
    byId("paste-token").value = "";
    byId("try-paste").open = false;
  });
  press("try-forget", forget);
  whenHeld(draw);
  draw(current());
  if (location.origin !== issuer) {
    // Under another name of this server the browser would come back to where nothing is remembered.
    byId("try-elsewhere").hidden = false;
    byId("try-sign-in").disabled = true;
  } else if (!globalThis.crypto?.subtle) {
    fault(say("crypto"));
    byId("try-sign-in").disabled = true;
  }
}

async function leave(name) {
  const scopes = [...document.querySelectorAll("#try-form [name=scope]:checked")].map((box) => box.value);
  const verifier = random();
  const state = random(16);
  const place = document.documentElement.dataset.tried;
  const page = location.pathname;
  remember({ client: name, attempt: { client: name, verifier, state, page, place: place && `#${place}` } });
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: name,
    redirect_uri: redirect,
    scope: scopes.join(" "),
    state,
    code_challenge: base64url(await hash(verifier)),
    code_challenge_method: "S256",
  });
  location.assign(`/authorize?${parameters}`);
}

async function redeem(code, attempt) {
  const form = {
    grant_type: "authorization_code",
    client_id: attempt.client,
    redirect_uri: redirect,
    code_verifier: attempt.verifier,
    code,
  };
  const answer = await post("/token", form);
  if (!answer) return fault(say("network"));
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) return fault(`${say("refused")} ${body.detail ?? body.error ?? answer.status}`);
  const until = body.expires_in ? Date.now() + body.expires_in * 1000 : undefined;
  hold({ access_token: body.access_token, scope: body.scope, until, client: attempt.client });
}

// A token that nobody needs any more is given back, as far as it is ours to give.
async function forget() {
  const token = current();
  hold(undefined);
  if (token?.client) await post("/revoke", { token: token.access_token, client_id: token.client });
  byId("try-client").focus();
}

function post(path, form) {
  const body = new URLSearchParams(form);
  return fetch(path, { method: "POST", body, credentials: "omit", redirect: "error", cache: "no-store" }).catch(() => undefined);
}

function draw(token) {
  byId("try-signed").hidden = !token;
  for (const id of ["try-form", "try-register", "try-paste"]) byId(id).hidden = Boolean(token);
  const who = byId("docs-who");
  who.hidden = false;
  who.textContent = say(token ? "who" : "who-none");
  who.classList.toggle("badge-live", Boolean(token));
  const time = { hour: "2-digit", minute: "2-digit" };
  const until = token?.until && new Date(token.until).toLocaleTimeString(document.documentElement.lang, time);
  byId("try-until").textContent = until ? `${say("until")} ${until}` : "";
  byId("try-scope").textContent = token?.scope ?? "";
  if (token) byId("try-fault").hidden = true;
}

function fault(words) {
  const place = byId("try-fault");
  place.textContent = words;
  place.hidden = false;
}
