// oauth4webapi: the strictest reader of answers, and a resource server that checks JWT access tokens.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { audience, issue, issuer, opaque, rotate, signing } from './world.js';

const insecure = { [oauth.allowInsecureRequests]: true };

async function discover(algorithm = 'oauth2') {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm, ...insecure }));
}

async function grant(server, auth, form = {}) {
  const client = { client_id: opaque.id };
  const answer = await oauth.clientCredentialsGrantRequest(server, client, auth, new URLSearchParams(form), insecure);
  return oauth.processClientCredentialsResponse(server, client, answer);
}

function validate(server, token, options = {}) {
  const request = new Request(audience, { headers: { authorization: `Bearer ${token}` } });
  return oauth.validateJwtAccessToken(server, request, audience, { ...insecure, ...options });
}

suite('discovery', () => {
  for (const algorithm of ['oauth2', 'oidc']) {
    test(`the ${algorithm} document is accepted`, async () => {
      const server = await discover(algorithm);

      assert.equal(server.issuer, issuer);
      assert.ok(server.grant_types_supported.includes('client_credentials'));
    });
  }

  for (const resource of [issuer, audience]) {
    test(`the resource ${new URL(resource).pathname} names this server (RFC 9728)`, async () => {
      const url = new URL(resource);

      const answer = await oauth.resourceDiscoveryRequest(url, insecure);
      const found = await oauth.processResourceDiscoveryResponse(url, answer);

      assert.equal(found.resource, resource);
      assert.deepEqual(found.authorization_servers, [issuer]);
    });
  }

  test('the server and the resource name each other', async () => {
    const server = await discover();

    assert.deepEqual(server.protected_resources, [audience]);
  });
});

suite('client credentials', () => {
  for (const [name, method] of Object.entries({ basic: oauth.ClientSecretBasic, post: oauth.ClientSecretPost })) {
    test(`a token comes by ${name}`, async () => {
      const tokens = await grant(await discover(), method(opaque.secret), { scope: 'write:orders' });

      assert.equal(tokens.token_type, 'bearer');
      assert.equal(tokens.scope, 'write:orders');
      assert.equal(typeof tokens.expires_in, 'number');
    });

    test(`a wrong secret by ${name} is answered with a challenge`, async () => {
      const refused = await grant(await discover(), method('wrong')).catch((error) => error);

      assert.ok(refused instanceof oauth.WWWAuthenticateChallengeError, String(refused));
      assert.deepEqual(
        refused.cause.map(({ scheme }) => scheme),
        ['basic'],
      );
      assert.equal((await refused.response.json()).error, 'invalid_client');
    });
  }

  test('an unknown scope is a typed error with code and description', async () => {
    const auth = oauth.ClientSecretBasic(opaque.secret);

    const refused = await grant(await discover(), auth, { scope: 'read:everything' }).catch((error) => error);

    assert.ok(refused instanceof oauth.ResponseBodyError, String(refused));
    assert.equal(refused.error, 'invalid_scope');
    assert.match(refused.error_description, /read:everything/);
  });
});

test('a revoked token is inactive', async () => {
  const server = await discover();
  const client = { client_id: opaque.id };
  const auth = oauth.ClientSecretBasic(opaque.secret);
  const { access_token } = await grant(server, auth);
  const ask = async () =>
    oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, auth, access_token, insecure),
    );

  const before = await ask();
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, auth, access_token, insecure));
  const after = await ask();

  assert.equal(before.active, true);
  assert.equal(before.iss, issuer);
  assert.deepEqual({ ...after }, { active: false });
});

suite('JWT access tokens', () => {
  for (const [algorithm, who] of Object.entries(signing)) {
    test(`one signed with ${algorithm} is valid (RFC 9068)`, async () => {
      const token = await issue(who, { scope: 'read:orders' });

      const claims = await validate(await discover(), token);

      assert.equal(claims.sub, who.id);
      assert.equal(claims.client_id, who.id);
      assert.equal(claims.scope, 'read:orders');
    });

    test(`keys cached before a rotation of ${algorithm} are fetched again`, async () => {
      const server = await discover();
      const old = await issue(who);
      const cache = {};
      await validate(server, old, { [oauth.jwksCache]: cache });

      const fresh = await rotate(algorithm);
      // The library asks again for an unknown key when its copy is a minute old. This one is said to be.
      const aged = { jwks: structuredClone(cache.jwks), uat: cache.uat - 61 };
      const later = await discover();

      await validate(later, fresh, { [oauth.jwksCache]: aged });
      await validate(later, old, { [oauth.jwksCache]: aged });
      assert.ok(aged.jwks.keys.length > cache.jwks.keys.length);
    });
  }

  test('another audience is refused', async () => {
    const request = new Request(audience, { headers: { authorization: `Bearer ${await issue(signing.RS256)}` } });

    const validated = oauth.validateJwtAccessToken(await discover(), request, 'https://elsewhere.example', insecure);

    await assert.rejects(validated, { code: oauth.JWT_CLAIM_COMPARISON });
  });

  test('an opaque token is no JWT', async () => {
    await assert.rejects(validate(await discover(), await issue(opaque)), { name: 'OperationProcessingError' });
  });
});
