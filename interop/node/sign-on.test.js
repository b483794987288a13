// Signing in through another provider: node-oidc-provider, as its documentation shows it, with the sign-in pages that it
// brings along. A server of its own, because a provider stands in the settings.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as client from 'openid-client';
import Provider from 'oidc-provider';

import { browser } from './person.js';
import { callback, operate } from './world.js';

const secret = 'a secret of forty-odd characters, & some / more';
const people = {
  grace: { name: 'Grace Hopper', email: 'grace@navy.example', email_verified: true, preferred_username: 'grace' },
  mallory: { name: 'Mallory', email: 'grace@navy.example', email_verified: false },
};

let folder, upstream, issuer, server, origin, app;

/** The provider. Who signs in says who they are; any password does. */
function provide(redirect) {
  return new Provider(issuer, {
    clients: [{ client_id: 'valetkey', client_secret: secret, redirect_uris: [redirect] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    cookies: { keys: ['a key for the cookies of a test'] },
    pkce: { required: () => true },
    ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600 },
  });
}

async function listen() {
  let provider;
  upstream = createServer((request, response) => provider.callback()(request, response));
  await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${upstream.address().port}`;
  return (redirect) => {
    provider = provide(redirect);
  };
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'valetkey-sign-on-'));
  const open = await listen();
  Object.assign(process.env, {
    // On SQLite a folder is a store of its own; on PostgreSQL it is one more node.
    VALETKEY_DATA: folder,
    VALETKEY_PROVIDERS_UPSTREAM_NAME: 'node-oidc-provider',
    VALETKEY_PROVIDERS_UPSTREAM_ISSUER: issuer,
    VALETKEY_PROVIDERS_UPSTREAM_CLIENT_ID: 'valetkey',
    VALETKEY_PROVIDERS_UPSTREAM_CLIENT_SECRET: secret,
    VALETKEY_PROVIDERS_UPSTREAM_CREATE_ACCOUNTS: 'true',
  });
  server = spawn(process.env.VALETKEY, ['serve', '--listen', '127.0.0.1:0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const banner = await new Promise((resolve) => server.stdout.once('data', resolve));
  origin = JSON.parse(banner).issuer;
  open(`${origin}/login/upstream/callback`);
  const made = await operate(
    ...['client', 'add', '--name', 'Signed on', '--redirect-uri', callback],
    ...['--grant', 'authorization_code', '--scope', 'openid profile email'],
  );
  app = await client.discovery(new URL(origin), made.client_id, made.client_secret, undefined, {
    execute: [client.allowInsecureRequests],
  });
});

after(async () => {
  server?.kill();
  upstream?.closeAllConnections();
  upstream?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Follows the link of the app, presses the button, and signs in at the provider. Answers where that leads here. */
async function signOn(link, login, { open, send }) {
  const page = await open(link);
  assert.match(page.text, /Sign in with.*node-oidc-provider/s);
  let there = await open((await send(page, '/login/upstream', {})).url);
  assert.equal(there.url.origin, issuer);
  while (there.url.origin === issuer) {
    const more = there.text.includes('name="login"') ? { login, password: 'any' } : {};
    there = await send(there, there.url.pathname, more);
  }
  return open(there.url);
}

async function ask(more = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const challenge = await client.calculatePKCECodeChallenge(verifier);
  const asked = { redirect_uri: callback, scope: 'openid profile email', code_challenge: challenge };
  const nonce = client.randomNonce();
  const link = client.buildAuthorizationUrl(app, { ...asked, code_challenge_method: 'S256', nonce, ...more });
  return { link, checks: { pkceCodeVerifier: verifier, expectedNonce: nonce, idTokenExpected: true } };
}

test('the whole way: app, this server, the provider, and back to tokens', async () => {
  const person = browser();
  const { link, checks } = await ask();

  const consent = await signOn(link, 'grace', person);
  assert.ok(consent.text.includes('id="consent-approve"'), consent.text);
  const { url } = await person.send(consent, '/consent', { decision: 'approve' });
  const tokens = await client.authorizationCodeGrant(app, url, checks);
  const claims = await client.fetchUserInfo(app, tokens.access_token, tokens.claims().sub);

  const { name, email, email_verified, preferred_username } = claims;
  assert.deepEqual({ name, email, email_verified, preferred_username }, people.grace);
  const [made] = await operate('user', 'links', 'grace');
  assert.deepEqual([made.provider, made.issuer, made.subject], ['upstream', issuer, 'grace']);
  assert.notEqual(made.used_at, null);
});

test('a fresh sign-in that an app asks for is asked of the provider, and its time is told', async () => {
  const person = browser();
  const first = await ask();
  await signOn(first.link, 'grace', person);
  const began = Math.floor(Date.now() / 1000) - 1;

  const { link, checks } = await ask({ prompt: 'login', max_age: '0' });
  let page = await signOn(link, 'grace', person);
  if (page.text.includes('id="consent-approve"')) page = await person.send(page, '/consent', { decision: 'approve' });
  const tokens = await client.authorizationCodeGrant(app, page.url, { ...checks, maxAge: 60 });

  assert.ok(tokens.claims().auth_time >= began, `${tokens.claims().auth_time} ${began}`);
});

test('an address that the provider has not verified opens nothing', async () => {
  const person = browser();
  await signOn((await ask()).link, 'grace', browser());

  const page = await signOn((await ask()).link, 'mallory', person);

  assert.match(page.text, /No account here belongs/);
  const links = await operate('user', 'links', 'grace');
  assert.deepEqual(links.map(({ subject }) => subject), ['grace']);
});
