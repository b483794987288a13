// Reads a form into a request, sends it, and says it again as a command. The token is never part of what is shown.
import { current } from "./token.js";

export function read(operation, form) {
  const { method } = operation.dataset;
  let { path } = operation.dataset;
  const query = new URLSearchParams();
  const headers = [];
  for (const field of form.querySelectorAll("[data-name]")) {
    const { name, place } = field.dataset;
    const value = field.value.trim();
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (place === "header") headers.push([name, value]);
    else query.append(named(name, field), value);
  }
  const body = form.querySelector("[data-body]")?.value.trim();
  if (body) headers.push(["Content-Type", form.querySelector("[data-type]").value]);
  const search = query.size > 0 ? `?${query}` : "";
  return { method, path: `${path}${search}`, headers, body: body || undefined };
}

function named(name, field) {
  const operator = field.parentElement.querySelector("[data-compare]")?.value;
  return operator ? `${name}[${operator}]` : name;
}

export async function send({ method, path, headers, body }) {
  const sent = new Headers(headers);
  const token = current();
  if (token) sent.set("Authorization", `Bearer ${token.access_token}`);
  const began = performance.now();
  // The API takes no cookies; sending none shows that it needs none.
  const answer = await fetch(path, { method, headers: sent, body, credentials: "omit", redirect: "error", cache: "no-store" });
  const text = await answer.text();
  return { status: answer.status, headers: [...answer.headers], text, json: parsed(text), took: performance.now() - began };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asCurl({ method, path, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -i${method === "GET" ? "" : ` -X ${method}`} ${quoted(location.origin + path)}`];
  if (current()) parts.push('-H "Authorization: Bearer $ACCESS_TOKEN"');
  for (const [name, value] of headers) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body) parts.push(`-d ${quoted(body)}`);
  return parts.join(" \\\n  ");
}
