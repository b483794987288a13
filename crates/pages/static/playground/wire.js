// Sends a request and keeps it with its answer, as they went over the wire.
//
// An exchange is plain data: { method, path, lines, form, status, headers, body, json }. A field in `masked` travels
// as it is and is shown as a shell variable, so that a secret is neither on the screen nor in the memory of the tab.
const VARIABLE = /^\$[A-Z_]+$/;
const SHOWN = ["content-type", "cache-control", "www-authenticate", "retry-after"];

export async function send({ method = "POST", path, form = {}, bearer, masked = {} }) {
  const headers = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  const fields = Object.entries(form);
  const exchange = {
    method,
    path,
    bearer,
    form: fields.map(([name, value]) => [name, masked[name] ?? value]),
  };
  try {
    const body = method === "POST" ? new URLSearchParams(fields) : undefined;
    // The endpoints take no cookies; sending none shows that they need none.
    const answer = await fetch(path, { method, headers, body, credentials: "omit", redirect: "error", cache: "no-store" });
    const text = await answer.text();
    exchange.status = answer.status;
    exchange.headers = SHOWN.filter((name) => answer.headers.has(name)).map((name) => [name, answer.headers.get(name)]);
    exchange.body = text;
    exchange.json = parsed(text);
  } catch {
    exchange.status = 0;
  }
  return exchange;
}

export function succeeded(exchange) {
  return exchange.status >= 200 && exchange.status < 300;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The form is broken into lines, which on the wire it is not.
export function asHttp({ method, path, bearer, form }) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${location.host}`];
  if (bearer) lines.push(`Authorization: Bearer ${bearer}`);
  if (method === "POST") lines.push("Content-Type: application/x-www-form-urlencoded");
  const encoded = form.map(([name, value]) => (VARIABLE.test(value) ? `${name}=${value}` : `${new URLSearchParams([[name, value]])}`));
  if (encoded.length > 0) lines.push("", encoded.join("\n&"));
  return lines.join("\n");
}

export function asCurl({ path, bearer, form }) {
  const parts = [`curl -i ${location.origin}${path}`];
  if (bearer) parts.push(`-H 'Authorization: Bearer ${bearer}'`);
  for (const [name, value] of form) {
    if (VARIABLE.test(value)) parts.push(`-d ${name}="${value}"`);
    else if (/^[\w.~-]*$/.test(value)) parts.push(`-d ${name}=${value}`);
    else parts.push(`--data-urlencode '${name}=${value.replaceAll("'", "'\\''")}'`);
  }
  return parts.join(" \\\n  ");
}

export function asAnswer({ status, headers, body, json }) {
  const lines = [`HTTP/1.1 ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (body) lines.push("", json === undefined ? body : JSON.stringify(json, null, 2));
  return lines.join("\n");
}
