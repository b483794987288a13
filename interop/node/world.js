// What the tests know of the server: where it is, who is registered, and how an operator speaks to it.
// Everything comes from the environment that `interop/run` sets. Knows no client library.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const issuer = process.env.ISSUER;
export const audience = `${issuer}/api`;
export const scopes = 'read:orders write:orders';
/** Where apps get their codes, and where they get a browser back after a sign-out. */
export const { CALLBACK: callback, GOODBYE: goodbye } = process.env;

/** A client that `interop/run` registered, by the name it has there. */
export function client(name) {
  return { id: process.env[`${name}_ID`], secret: process.env[`${name}_SECRET`] };
}

export const opaque = client('OPAQUE');
export const resourceServer = client('RESOURCE_SERVER');
export const signing = { ES256: client('ES256'), RS256: client('RS256'), EdDSA: client('EDDSA') };

/** A token by the plainest request there is, for tests that are about what comes after it. */
export async function issue(who, form = {}) {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${who.id}:${who.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
  });
  return (await answer.json()).access_token;
}

export function kidOf(token) {
  return JSON.parse(Buffer.from(token.split('.')[0], 'base64url')).kid;
}

/** Runs a command of the operator beside the running server. */
export async function operate(...args) {
  const { stdout } = await promisify(execFile)(process.env.VALETKEY, [...args, '--json']);
  return JSON.parse(stdout);
}

/** Asks until the answer is true. A running server sees what an operator did within a second. */
export async function eventually(ask, within = 10_000) {
  const end = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`it did not come true within ${within} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Replaces the key of this algorithm, and answers with a token that the new one signed. */
export async function rotate(algorithm) {
  const old = kidOf(await issue(signing[algorithm]));
  await operate('key', 'rotate', algorithm.toLowerCase(), '--now');
  return eventually(async () => {
    const token = await issue(signing[algorithm]);
    return kidOf(token) !== old && token;
  });
}
