// Client credentials. The secret lives in its field and in the request, and nowhere else: what is shown names a variable.
import { service } from "./settings.js";
import * as show from "./show.js";
import { send, succeeded } from "./wire.js";

const masked = { client_secret: "$CLIENT_SECRET" };

export async function start() {
  show.byId("service-secret").addEventListener("input", buttons);
  show.byId("introspect-token").addEventListener("input", buttons);
  show.press("service-run", ask);
  show.press("introspect-run", introspect);
  buttons();
}

function credentials() {
  return { client_id: service, client_secret: show.byId("service-secret").value };
}

async function ask() {
  const exchange = await send({ path: "/token", form: { grant_type: "client_credentials", ...credentials() }, masked });
  show.exchange("service", exchange);
  show.announce(exchange);
  if (succeeded(exchange)) show.byId("introspect-token").value = exchange.json.access_token;
  buttons();
}

async function introspect() {
  const token = show.byId("introspect-token").value;
  const exchange = await send({ path: "/introspect", form: { token, ...credentials() }, masked });
  show.exchange("introspect", exchange);
  show.announce(exchange);
}

function buttons() {
  const secret = show.byId("service-secret").value !== "";
  show.enable("service-run", secret);
  show.enable("introspect-run", secret && show.byId("introspect-token").value !== "");
}
