// Signing out: openid-client sends the browser there and gets it back, and jose checks what the server tells an app
// behind the browser's back.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import * as jose from 'jose';
import * as oidc from 'openid-client';
import { browser, leave, visit } from './person.js';
import { callback, client, eventually, goodbye, issuer, operate } from './world.js';

const [web, told] = ['WEB', 'TOLD'].map(client);

async function signIn(who, person) {
  const config = await oidc.discovery(new URL(issuer), who.id, who.secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const link = (more) =>
    oidc.calculatePKCECodeChallenge(pkceCodeVerifier).then((code_challenge) =>
      oidc.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'openid',
        code_challenge,
        code_challenge_method: 'S256',
        ...more,
      }),
    );
  const tokens = await oidc.authorizationCodeGrant(config, await visit(await link(), person), { pkceCodeVerifier });
  return { config, tokens, link };
}

suite('an app that sends its user to sign out', () => {
  test('gets the browser back with its state, and nobody is signed in any more', async () => {
    const person = browser();
    const { config, tokens, link } = await signIn(web, person);
    const end = oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: goodbye,
      state: 'see you',
    });

    const back = await leave(end, person);

    assert.equal(`${back.origin}${back.pathname}`, goodbye);
    assert.equal(back.searchParams.get('state'), 'see you');
    const silent = await visit(await link({ prompt: 'none' }), person);
    assert.equal(silent.searchParams.get('error'), 'login_required');
  });

  test('keeps the person at the server when the way back is not registered', async () => {
    const person = browser();
    const { config, tokens } = await signIn(web, person);
    const end = oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: 'https://elsewhere.example/',
    });

    const stays = await leave(end, person);

    assert.equal(stays.origin, issuer);
  });
});

test('an app is told of a sign-out by a token that jose accepts', async (context) => {
  const received = [];
  const app = createServer(async (request, response) => {
    const body = await request.setEncoding('utf8').toArray();
    received.push(new URLSearchParams(body.join('')));
    response.end();
  }).listen(0, '127.0.0.1');
  context.after(() => app.close());
  await once(app, 'listening');
  await operate('client', 'edit', told.id, '--backchannel-logout-uri', `http://127.0.0.1:${app.address().port}/out`);
  const person = browser();
  const { config, tokens } = await signIn(told, person);

  await leave(oidc.buildEndSessionUrl(config, { id_token_hint: tokens.id_token }), person);
  await eventually(() => received.length);

  const keys = jose.createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const expected = { issuer, audience: told.id, typ: 'logout+jwt', requiredClaims: ['iat', 'exp', 'jti', 'events'] };
  const { payload } = await jose.jwtVerify(received[0].get('logout_token'), keys, expected);
  const { sub, sid } = tokens.claims();
  assert.deepEqual([payload.sub, payload.sid, payload.nonce], [sub, sid, undefined]);
  assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
  assert.equal((await oidc.tokenIntrospection(config, tokens.access_token)).active, false);
});
