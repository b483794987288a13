// Refreshing: a new pair for the old one, and what happens when the old one comes again.
import { record, userinfo } from "./code.js";
import { recall, whenChanged } from "./memory.js";
import { app } from "./settings.js";
import * as show from "./show.js";
import { send, succeeded } from "./wire.js";

export async function start() {
  show.press("refresh-run", rotate);
  show.press("refresh-replay", replay);
  whenChanged(draw);
  draw();
}

function present(token) {
  return send({ path: "/token", form: { grant_type: "refresh_token", refresh_token: token, client_id: app } });
}

async function rotate() {
  const { tokens } = recall();
  const exchange = await present(tokens.refresh_token);
  const changes = succeeded(exchange) ? { tokens: exchange.json, previous: tokens.refresh_token } : {};
  record("refresh", exchange, undefined, changes);
}

// The newest access token is tried afterwards, because the whole session is over.
async function replay() {
  const exchange = await present(recall().previous);
  const then = await userinfo();
  record("replay", exchange, "why-reuse");
  record("replay-then", then, "why-dead", { tokens: undefined });
}

function draw() {
  const { tokens, previous, answers = {} } = recall();
  show.enable("refresh-run", Boolean(tokens?.refresh_token));
  show.enable("refresh-replay", Boolean(tokens && previous));
  const renewed = succeeded(answers.refresh?.exchange ?? { status: 0 });
  show.showOnly("rotated", Boolean(renewed && previous));
  show.fill("old-refresh", show.short(previous));
  show.fill("new-refresh", show.short(answers.refresh?.exchange.json?.refresh_token));
  show.done("refresh-rotate", renewed);
  show.done("refresh-reuse", answers["replay-then"]);
  for (const slot of ["refresh", "replay", "replay-then"]) {
    show.exchange(slot, answers[slot]?.exchange, answers[slot]?.why);
  }
}
