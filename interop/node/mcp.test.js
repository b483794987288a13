// The Model Context Protocol's SDK: from the address of a resource to a token, with nothing known beforehand.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  auth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { audience, issuer, opaque, scopes } from './world.js';

suite('discovery', () => {
  test('the resource leads to the server', async () => {
    const resource = await discoverOAuthProtectedResourceMetadata(audience);
    const server = await discoverAuthorizationServerMetadata(resource.authorization_servers[0]);

    assert.equal(resource.resource, audience);
    assert.equal(server.issuer, issuer);
  });

  test('a deeper address falls back to the resource of the origin', async () => {
    const resource = await discoverOAuthProtectedResourceMetadata(`${issuer}/somewhere/else`);

    assert.equal(resource.resource, issuer);
  });
});

suite('client credentials', () => {
  const provider = (secret = opaque.secret) =>
    new ClientCredentialsProvider({ clientId: opaque.id, clientSecret: secret, scope: scopes, expectedIssuer: issuer });

  test('a machine is authorized from the address of the resource alone', async () => {
    const machine = provider();

    const outcome = await auth(machine, { serverUrl: audience });

    assert.equal(outcome, 'AUTHORIZED');
    assert.equal(machine.tokens().scope, scopes);
  });

  test('a wrong secret is invalid_client', async () => {
    const refused = await auth(provider('wrong'), { serverUrl: audience }).catch((error) => error);

    assert.equal(refused.errorCode, 'invalid_client');
    assert.match(refused.message, /secret/);
  });
});
