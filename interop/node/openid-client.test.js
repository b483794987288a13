// openid-client. It form-encodes Basic credentials down to `-` and `_`.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as oidc from 'openid-client';
import { audience, issuer, opaque, resourceServer, scopes } from './world.js';

const methods = { basic: oidc.ClientSecretBasic, post: oidc.ClientSecretPost };

function discover(who = opaque, { algorithm = 'oauth2', method = 'basic', secret = who.secret } = {}) {
  return oidc.discovery(new URL(issuer), who.id, undefined, methods[method](secret), {
    algorithm,
    execute: [oidc.allowInsecureRequests],
  });
}

suite('discovery', () => {
  for (const algorithm of ['oauth2', 'oidc']) {
    test(`the ${algorithm} document is found and names its issuer`, async () => {
      const config = await discover(opaque, { algorithm });

      assert.equal(config.serverMetadata().issuer, issuer);
      assert.equal(config.serverMetadata().token_endpoint, `${issuer}/token`);
    });
  }
});

suite('client credentials', () => {
  for (const method of Object.keys(methods)) {
    test(`a token comes by ${method}`, async () => {
      const config = await discover(opaque, { method });

      const tokens = await oidc.clientCredentialsGrant(config, { scope: 'read:orders' });

      assert.equal(tokens.token_type, 'bearer');
      assert.equal(tokens.scope, 'read:orders');
      assert.ok(tokens.expiresIn() > 0);
    });

    test(`a wrong secret by ${method} is a 401 with a challenge and the word invalid_client`, async () => {
      const config = await discover(opaque, { method, secret: 'wrong' });

      const refused = await oidc.clientCredentialsGrant(config).catch((error) => error);

      // The challenge goes first in this library; the body with the word is still to be read.
      assert.ok(refused instanceof oidc.WWWAuthenticateChallengeError, String(refused));
      assert.equal(refused.status, 401);
      assert.equal(refused.cause[0].scheme, 'basic');
      assert.equal((await refused.response.json()).error, 'invalid_client');
    });
  }

  test('a resource may be named', async () => {
    const config = await discover();

    const { access_token } = await oidc.clientCredentialsGrant(config, { resource: audience });

    assert.equal((await oidc.tokenIntrospection(config, access_token)).aud, audience);
  });

  test('an unknown scope is invalid_scope and is named', async () => {
    const config = await discover();

    const refused = await oidc.clientCredentialsGrant(config, { scope: 'read:everything' }).catch((error) => error);

    assert.ok(refused instanceof oidc.ResponseBodyError, String(refused));
    assert.equal(refused.error, 'invalid_scope');
    assert.equal(refused.status, 400);
    assert.match(refused.error_description, /read:everything/);
  });

  test('an unknown resource is invalid_target', async () => {
    const config = await discover();

    const refused = await oidc
      .clientCredentialsGrant(config, { resource: 'https://elsewhere.example' })
      .catch((error) => error);

    assert.equal(refused.error, 'invalid_target');
  });
});

suite('introspection and revocation', () => {
  for (const method of Object.keys(methods)) {
    test(`a revoked token is inactive, asked by ${method}`, async () => {
      const config = await discover(opaque, { method });
      const { access_token } = await oidc.clientCredentialsGrant(config);

      const before = await oidc.tokenIntrospection(config, access_token);
      await oidc.tokenRevocation(config, access_token);
      const after = await oidc.tokenIntrospection(config, access_token);

      assert.equal(before.active, true);
      assert.equal(before.scope, scopes);
      assert.deepEqual({ ...after }, { active: false });
    });
  }

  test('only a resource server sees the tokens of others', async () => {
    const { access_token } = await oidc.clientCredentialsGrant(await discover());

    const allowed = await oidc.tokenIntrospection(await discover(resourceServer), access_token);
    const { access_token: foreign } = await oidc.clientCredentialsGrant(await discover(resourceServer));
    const curious = await oidc.tokenIntrospection(await discover(), foreign);

    assert.equal(allowed.client_id, opaque.id);
    assert.equal(curious.active, false);
  });

  test('revoking with a wrong hint, twice, or an unknown token succeeds', async () => {
    const config = await discover();
    const { access_token } = await oidc.clientCredentialsGrant(config);

    await oidc.tokenRevocation(config, access_token, { token_type_hint: 'refresh_token' });
    await oidc.tokenRevocation(config, access_token);
    await oidc.tokenRevocation(config, 'nobody-issued-this');

    assert.equal((await oidc.tokenIntrospection(config, access_token)).active, false);
  });
});
