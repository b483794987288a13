// Giving a token back, and what the others of its session are worth then.
import { record, userinfo } from "./code.js";
import { recall, whenChanged } from "./memory.js";
import { app } from "./settings.js";
import * as show from "./show.js";
import { send, succeeded } from "./wire.js";

export async function start() {
  show.press("revoke-run", revoke);
  whenChanged(draw);
  draw();
}

async function revoke() {
  const { tokens } = recall();
  const form = { token: tokens.refresh_token, token_type_hint: "refresh_token", client_id: app };
  const exchange = await send({ path: "/revoke", form });
  if (!succeeded(exchange)) return record("revoke", exchange);
  const then = await userinfo();
  record("revoke", exchange, "why-revoked");
  record("revoke-then", then, "why-dead", { tokens: undefined });
}

function draw() {
  const { tokens, answers = {} } = recall();
  show.enable("revoke-run", Boolean(tokens?.refresh_token));
  show.done("revoke-app", answers["revoke-then"]);
  for (const slot of ["revoke", "revoke-then"]) show.exchange(slot, answers[slot]?.exchange, answers[slot]?.why);
}
