// The authorization code with PKCE, from the link to the last refresh: openid-client as an app uses it, and
// oauth4webapi, which reads each answer by itself and strictly.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { browser, email, username, visit } from './person.js';
import { audience, callback, client, issuer } from './world.js';

const [web, spa, pairwise, told] = ['WEB', 'SPA', 'PAIRWISE', 'TOLD'].map(client);
const scope = 'openid profile email read:orders';
// One sign-in for all tests that are not about it, which therefore run one after the other.
const signedIn = browser();

suite('openid-client', () => {
  const methods = { basic: oidc.ClientSecretBasic, post: oidc.ClientSecretPost };

  function discover(who = web, method = methods.basic) {
    const auth = who.secret ? method(who.secret) : oidc.None();
    return oidc.discovery(new URL(issuer), who.id, undefined, auth, { execute: [oidc.allowInsecureRequests] });
  }

  /** What an app keeps while its user is away, and where it sends them. */
  async function begin(config, more = {}) {
    const checks = {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      expectedState: oidc.randomState(),
      expectedNonce: oidc.randomNonce(),
      idTokenExpected: true,
    };
    const link = oidc.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      ...more,
    });
    return { link, checks };
  }

  async function signIn(config, more, person = signedIn) {
    const { link, checks } = await begin(config, more);
    return oidc.authorizationCodeGrant(config, await visit(link, person), checks);
  }

  for (const [name, method] of Object.entries(methods)) {
    test(`an app with a secret by ${name} learns who signed in`, async () => {
      const config = await discover(web, method);

      const tokens = await signIn(config, {}, browser());

      assert.deepEqual([tokens.token_type, tokens.scope], ['bearer', scope]);
      assert.equal(tokens.claims().aud, web.id);
      const info = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
      assert.deepEqual([info.preferred_username, info.email, info.name], [username, email, 'Ada Lovelace']);
    });
  }

  test('an app without a secret gets its tokens by the verifier alone', async () => {
    const config = await discover(spa);

    const tokens = await signIn(config);

    assert.equal(tokens.claims().aud, spa.id);
    assert.equal((await oidc.refreshTokenGrant(config, tokens.refresh_token)).scope, scope);
  });

  for (const [algorithm, who] of Object.entries({ RS256: web, ES256: pairwise, EdDSA: told })) {
    test(`an id_token signed with ${algorithm} holds, signature and at_hash included`, async () => {
      const config = await discover(who);
      config.clientMetadata().id_token_signed_response_alg = algorithm;
      oidc.enableNonRepudiationChecks(config);

      const tokens = await signIn(config, { max_age: '600' });

      const { iss, auth_time, at_hash, sid } = tokens.claims();
      assert.equal(iss, issuer);
      assert.deepEqual([auth_time, at_hash, sid].map((value) => typeof value), ['number', 'string', 'string']);
    });
  }

  test('an app with names of its own sees another subject in each answer', async () => {
    const [config, other] = await Promise.all([discover(), discover(pairwise)]);

    const [known, hidden] = [await signIn(config), await signIn(other)];

    assert.notEqual(known.claims().sub, hidden.claims().sub);
    await oidc.fetchUserInfo(other, hidden.access_token, hidden.claims().sub);
    assert.equal((await oidc.tokenIntrospection(other, hidden.access_token)).sub, hidden.claims().sub);
  });

  test('the answer may come by a form that posts itself', async () => {
    const config = await discover();
    const { link, checks } = await begin(config, { response_mode: 'form_post' });

    const posted = await visit(link, signedIn);
    const tokens = await oidc.authorizationCodeGrant(config, posted, checks);

    assert.deepEqual([posted.url, posted.method], [callback, 'POST']);
    assert.equal(tokens.claims().aud, web.id);
  });

  test('a state with every kind of character comes back as it was', async () => {
    const config = await discover();
    for (const response_mode of ['query', 'form_post']) {
      const { link, checks } = await begin(config, { response_mode, state: 'a b+c&d=e%20"<ü>\'/?#' });
      checks.expectedState = link.searchParams.get('state');

      const tokens = await oidc.authorizationCodeGrant(config, await visit(link, signedIn), checks);

      assert.ok(tokens.access_token);
    }
  });

  test('a resource named at the link binds the token', async () => {
    const config = await discover();

    const tokens = await signIn(config, { resource: audience });

    assert.equal((await oidc.tokenIntrospection(config, tokens.access_token)).aud, audience);
  });

  test('each refresh brings the next token, and the first one again ends everything', async () => {
    const config = await discover();
    const first = await signIn(config);

    const second = await oidc.refreshTokenGrant(config, first.refresh_token);
    const narrow = await oidc.refreshTokenGrant(config, second.refresh_token, { scope: 'openid read:orders' });
    const replay = await oidc.refreshTokenGrant(config, first.refresh_token).catch((error) => error);
    const after = await oidc.refreshTokenGrant(config, narrow.refresh_token).catch((error) => error);

    assert.equal(second.claims().sub, first.claims().sub);
    assert.equal(narrow.scope, 'openid read:orders');
    assert.deepEqual([replay.error, after.error], ['invalid_grant', 'invalid_grant']);
    assert.equal((await oidc.tokenIntrospection(config, narrow.access_token)).active, false);
  });

  test('a revoked refresh token takes its access token along', async () => {
    const config = await discover();
    const tokens = await signIn(config);

    await oidc.tokenRevocation(config, tokens.refresh_token, { token_type_hint: 'refresh_token' });

    const info = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub).catch((error) => error);
    assert.ok(info instanceof oidc.WWWAuthenticateChallengeError, String(info));
    assert.deepEqual([info.status, info.cause[0].parameters.error], [401, 'invalid_token']);
    const refused = await oidc.refreshTokenGrant(config, tokens.refresh_token).catch((error) => error);
    assert.equal(refused.error, 'invalid_grant');
  });

  test('a wrong verifier and a code used twice are invalid_grant', async () => {
    const config = await discover();
    const wrong = await begin(config);
    const twice = await begin(config);
    const codes = [await visit(wrong.link, signedIn), await visit(twice.link, signedIn)];
    const checks = { ...wrong.checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };

    const guessed = await oidc.authorizationCodeGrant(config, codes[0], checks).catch((error) => error);
    const tokens = await oidc.authorizationCodeGrant(config, codes[1], twice.checks);
    const again = await oidc.authorizationCodeGrant(config, codes[1], twice.checks).catch((error) => error);

    for (const refused of [guessed, again]) {
      assert.ok(refused instanceof oidc.ResponseBodyError, String(refused));
      assert.deepEqual([refused.error, refused.status], ['invalid_grant', 400]);
    }
    assert.equal((await oidc.tokenIntrospection(config, tokens.access_token)).active, false);
  });

  test('what the person or the server refuses is an answer with a code, a state and an issuer', async () => {
    const config = await discover();
    const refusals = [
      ['access_denied', { prompt: 'consent' }, browser(), 'deny'],
      ['login_required', { prompt: 'none' }, browser()],
      ['invalid_scope', { scope: 'openid read:everything' }, signedIn],
      ['invalid_target', { resource: 'https://elsewhere.example' }, signedIn],
      ['unsupported_response_type', { response_type: 'token' }, signedIn],
    ];
    for (const [word, more, person, decision] of refusals) {
      const { link, checks } = await begin(config, more);

      const answer = await visit(link, person, decision);
      const refused = await oidc.authorizationCodeGrant(config, answer, checks).catch((error) => error);

      assert.ok(refused instanceof oidc.AuthorizationResponseError, `${word}: ${refused}`);
      assert.equal(refused.error, word);
      assert.equal(answer.searchParams.get('iss'), issuer);
    }
  });

  test('prompt=none brings the same person back without a page', async () => {
    const config = await discover();
    const first = await signIn(config);

    const silent = await signIn(config, { prompt: 'none', id_token_hint: first.id_token });

    assert.equal(silent.claims().sub, first.claims().sub);
    assert.equal(silent.claims().auth_time, first.claims().auth_time);
  });
});

suite('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  /** Signs the person in, and holds each answer against what the specifications say. */
  async function signIn(who, method) {
    const url = new URL(issuer);
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure));
    const app = { client_id: who.id, require_auth_time: true };
    const [verifier, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ];
    const link = new URL(server.authorization_endpoint);
    link.search = new URLSearchParams({
      client_id: who.id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email offline_access',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: '3600',
      state,
      nonce,
    });
    // The issuer is compared too: the metadata promise that each answer names it.
    const code = oauth.validateAuthResponse(server, app, await visit(link, signedIn), state);
    const answer = await oauth.authorizationCodeGrantRequest(server, app, method, code, callback, verifier, insecure);
    const expected = { expectedNonce: nonce, maxAge: 3600, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, app, answer, expected);
    return { server, app, tokens, answer };
  }

  for (const [name, who, method] of [
    ['a secret by basic', web, oauth.ClientSecretBasic(web.secret)],
    ['a secret by post', web, oauth.ClientSecretPost(web.secret)],
    ['no secret', spa, oauth.None()],
  ]) {
    test(`every answer of the flow is sound for an app with ${name}`, async () => {
      const { server, app, tokens, answer } = await signIn(who, method);
      await oauth.validateApplicationLevelSignature(server, answer, insecure);
      const { sub } = oauth.getValidatedIdTokenClaims(tokens);

      const info = await oauth.processUserInfoResponse(
        server,
        app,
        sub,
        await oauth.userInfoRequest(server, app, tokens.access_token, insecure),
      );
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        app,
        await oauth.refreshTokenGrantRequest(server, app, method, tokens.refresh_token, insecure),
      );
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, app, method, refreshed.refresh_token, insecure),
      );

      assert.equal(info.email, email);
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
      const late = await oauth.userInfoRequest(server, app, refreshed.access_token, insecure);
      assert.equal(late.status, 401);
    });
  }

  test('a signed access token of a person says who they are and what was agreed', async () => {
    const { server, app, tokens } = await signIn(spa, oauth.None());
    const request = new Request(audience, { headers: { authorization: `Bearer ${tokens.access_token}` } });

    const claims = await oauth.validateJwtAccessToken(server, request, audience, insecure);

    assert.equal(claims.sub, oauth.getValidatedIdTokenClaims(tokens).sub);
    assert.deepEqual([claims.client_id, claims.scope], [app.client_id, tokens.scope]);
  });
});
