// The authorization code with PKCE: from a verifier by way of the sign-in page to tokens, and what is done with them.
import { base64url, hash, hex, random } from "./encode.js";
import { accessTokenHash, decode, isSigned } from "./jwt.js";
import { recall, remember, whenChanged } from "./memory.js";
import { app, issuer, redirect, scope } from "./settings.js";
import * as show from "./show.js";
import { say } from "./words.js";
import { send, succeeded } from "./wire.js";

let arrived = false;

// What is left of an attempt when the next one begins.
const nothing = { tokens: undefined, previous: undefined, redeemed: undefined, checked: undefined, answers: {} };

// Reads what came back with the browser, and takes it out of the address bar and the history.
export function arrive() {
  if (!location.pathname.endsWith("/callback")) return;
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  history.replaceState(null, "", "/playground#pkce");
  if (!answer.code && !answer.error) return;
  arrived = true;
  const { attempt } = recall();
  remember({
    returned: {
      ...answer,
      // RFC 9700 §4.7: an answer with another state was not asked for by this tab.
      stateHolds: attempt !== undefined && answer.state === attempt.state,
      // RFC 9207: nor is one of another issuer.
      issuerHolds: answer.iss === issuer,
    },
    ...nothing,
  });
}

export async function start() {
  if (!recall().attempt) remember({ attempt: await attempt() });
  show.press("pkce-new", async () => {
    remember({ attempt: await attempt(), returned: undefined, ...nothing });
  });
  show.press("pkce-start", async () => location.assign(address(await sent({ skipped: undefined }))));
  show.press("pkce-without", async () => {
    const { code_challenge, code_challenge_method, ...rest } = parameters(await sent({ skipped: true }));
    location.assign(`/authorize?${new URLSearchParams(rest)}`);
  });
  show.press("pkce-exchange", redeem);
  show.press("pkce-wrong-verifier", () => tryWith({ code_verifier: random() }, "why-verifier"));
  show.press("pkce-no-verifier", () => tryWith({ code_verifier: undefined }, "why-missing"));
  show.press("pkce-wrong-redirect", () => tryWith({ redirect_uri: `${redirect}/elsewhere` }, "why-redirect"));
  show.press("pkce-replay", replay);
  show.press("id-token-check", check);
  show.press("userinfo-run", async () => record("userinfo", await userinfo()));
  whenChanged(draw);
  draw();
  if (arrived) show.byId("pkce-back").scrollIntoView();
}

// A secret and its hash, made anew for each attempt, with two values that must come back.
async function attempt() {
  const verifier = random();
  const digest = await hash(verifier);
  return { verifier, hash: hex(digest), challenge: base64url(digest), state: random(16), nonce: random(16) };
}

// The values that go out now. No request repeats the state of another, so used ones are made anew.
async function sent(changes) {
  const known = recall().attempt;
  const going = { ...(known.sent ? await attempt() : known), sent: true };
  remember({ attempt: going, ...changes });
  return going;
}

function parameters({ challenge, state, nonce }) {
  return {
    response_type: "code",
    client_id: app,
    redirect_uri: redirect,
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
}

function address(attempt) {
  return `${location.origin}/authorize?${new URLSearchParams(parameters(attempt))}`;
}

function redemption(changes = {}) {
  const form = {
    grant_type: "authorization_code",
    client_id: app,
    code_verifier: recall().attempt.verifier,
    redirect_uri: redirect,
    code: recall().returned.code,
    ...changes,
  };
  return send({ path: "/token", form: JSON.parse(JSON.stringify(form)) });
}

async function redeem() {
  const exchange = await redemption();
  const tokens = succeeded(exchange) ? exchange.json : undefined;
  record("exchange", exchange, undefined, { tokens, redeemed: tokens !== undefined });
}

async function tryWith(changes, why) {
  record("what-if", await redemption(changes), why);
  record("what-then", undefined);
}

// The same request again. The access token of the first use is tried afterwards, because it is dead as well.
async function replay() {
  const exchange = await redemption();
  const then = await userinfo();
  record("what-if", exchange, "why-twice");
  record("what-then", then, "why-dead", { tokens: undefined });
}

export function userinfo() {
  return send({ method: "GET", path: "/userinfo", bearer: recall().tokens.access_token });
}

// Keeps an exchange for its place on the page, so that it survives a reload.
export function record(slot, exchange, why, changes = {}) {
  remember({ answers: { ...recall().answers, [slot]: exchange && { exchange, why } }, ...changes });
  show.announce(exchange, why);
}

async function check() {
  const { attempt, tokens } = recall();
  const { header, payload } = decode(tokens.id_token);
  const jwks = await send({ method: "GET", path: "/jwks" });
  const results = [
    ["signature", await isSigned(tokens.id_token, jwks.json?.keys ?? []).catch(() => false)],
    ["issuer", payload.iss === issuer],
    ["audience", [payload.aud].flat().includes(app)],
    ["time", payload.exp * 1000 > Date.now()],
    ["nonce", payload.nonce === attempt.nonce],
    ["at-hash", payload.at_hash === (await accessTokenHash(tokens.access_token, header.alg))],
  ];
  remember({ checked: { header, payload, results } });
}

function draw() {
  const { attempt, returned, redeemed, tokens, answers = {}, checked, skipped } = recall();
  for (const name of ["verifier", "hash", "challenge", "state", "nonce"]) show.fill(name, attempt[name]);
  show.fill("address", address(attempt));
  for (const [name, value] of Object.entries(parameters(attempt))) show.fill(name, value, "parameter");
  drawReturn(returned, skipped);
  const sound = Boolean(returned?.code && returned.stateHolds && returned.issuerHolds);
  for (const id of ["pkce-exchange", "pkce-wrong-verifier", "pkce-no-verifier", "pkce-wrong-redirect"]) {
    show.enable(id, sound && !redeemed);
  }
  show.enable("pkce-replay", Boolean(redeemed && tokens));
  show.enable("id-token-check", Boolean(redeemed && tokens?.id_token));
  show.enable("userinfo-run", Boolean(tokens));
  for (const slot of ["exchange", "what-if", "what-then", "userinfo"]) {
    show.exchange(slot, answers[slot]?.exchange, answers[slot]?.why);
  }
  drawIdToken(redeemed ? checked : undefined);
  show.done("pkce-make", attempt.sent);
  show.done("pkce-go", returned);
  show.done("pkce-back", sound);
  show.done("pkce-trade", redeemed);
  show.done("pkce-id", redeemed && checked?.results.every(([, holds]) => holds));
  show.done("pkce-use", answers.userinfo && succeeded(answers.userinfo.exchange));
}

function drawReturn(returned, skipped) {
  show.showOnly("waiting", !returned);
  show.showOnly("returned", Boolean(returned));
  show.showOnly("code", Boolean(returned?.code && returned.stateHolds));
  // Words of an answer that nobody asked for are a stranger's, and are not repeated.
  const ours = returned?.stateHolds && returned.issuerHolds;
  const shown = ["code", "error", "error_description", "state", "iss"].filter((name) => ours && returned[name]);
  show.values(show.byId("returned"), shown.map((name) => [name, show.short(returned[name])]));
  show.checks(show.byId("return-checks"), returned ? [["state", returned.stateHolds], ["iss", returned.issuerHolds]] : []);
  const error = show.byId("return-error");
  error.replaceChildren();
  if (!ours || !returned.error) return;
  error.append(show.fault(`${say("error")} ${returned.error_description ?? returned.error}`, returned.error_uri));
  if (skipped) error.append(show.element("p", { class: "why" }, say("why-no-pkce")));
}

function drawIdToken(checked) {
  const place = show.byId("id-token");
  place.replaceChildren();
  if (!checked) return;
  const list = show.element("ul", { class: "checks" });
  show.checks(list, checked.results);
  const part = (name) => show.element("div", {}, show.element("p", { class: "label" }, say(name)), show.pre(JSON.stringify(checked[name], null, 2)));
  place.append(show.element("div", { class: "exchange" }, part("header"), part("payload")), list);
}
