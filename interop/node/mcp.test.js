// The Model Context Protocol's SDK: from the address of a resource to a token, with nothing known beforehand.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  auth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { visit } from './person.js';
import { audience, callback, client, issuer, opaque, scopes } from './world.js';

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

/** An app as the SDK's documentation shows it: what it was given it keeps, and a link it hands to its user. */
class App {
  redirectUrl = callback;
  clientMetadata = { client_name: 'interop', redirect_uris: [callback], scope: scopes };
  #kept = {};

  constructor({ id, secret }) {
    this.information = { client_id: id, ...(secret && { client_secret: secret }), issuer };
  }
  clientInformation() {
    return this.information;
  }
  state() {
    return (this.#kept.state ??= crypto.randomUUID());
  }
  tokens() {
    return this.#kept.tokens;
  }
  saveTokens(tokens) {
    this.#kept.tokens = tokens;
  }
  codeVerifier() {
    return this.#kept.verifier;
  }
  saveCodeVerifier(verifier) {
    this.#kept.verifier = verifier;
  }
  redirectToAuthorization(link) {
    this.link = link;
  }
}

suite('authorization code', () => {
  // The scope that a resource names in its challenge. Without one the SDK asks for all that the resource knows, which
  // is right for an app that is registered for all of it.
  const challenge = { serverUrl: audience, scope: scopes };

  for (const [name, who] of Object.entries({ 'a secret': client('WEB'), 'no secret': client('SPA') })) {
    test(`a person lets an app with ${name} in, from the address of the resource to the next token`, async () => {
      const app = new App(who);

      const asked = await auth(app, challenge);
      const back = (await visit(app.link)).searchParams;
      const entered = await auth(app, { ...challenge, authorizationCode: back.get('code') });
      const first = app.tokens();
      const renewed = await auth(app, challenge);

      assert.deepEqual([asked, entered, renewed], ['REDIRECT', 'AUTHORIZED', 'AUTHORIZED']);
      assert.equal(app.link.searchParams.get('resource'), audience);
      assert.deepEqual([back.get('state'), back.get('iss')], [app.state(), issuer]);
      assert.notEqual(app.tokens().refresh_token, first.refresh_token);
      assert.equal(app.tokens().scope, first.scope);
    });
  }

  test('a wrong verifier is invalid_grant', async () => {
    const app = new App(client('SPA'));
    await auth(app, challenge);
    const code = (await visit(app.link)).searchParams.get('code');
    app.saveCodeVerifier('a-verifier-that-somebody-has-made-up-themselves');

    const refused = await auth(app, { ...challenge, authorizationCode: code }).catch((error) => error);

    assert.equal(refused.errorCode, 'invalid_grant');
  });
});
