// The device grant (RFC 8628) with openid-client, which polls by itself, and with oauth4webapi, which reads strictly.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { decide } from './person.js';
import { client, issuer } from './world.js';

const television = client('TELEVISION');
const scope = 'openid profile read:orders';

function discover() {
  return oidc.discovery(new URL(issuer), television.id, undefined, oidc.None(), {
    execute: [oidc.allowInsecureRequests],
  });
}

suite('openid-client', { concurrency: true }, () => {
  test('polls until the person says yes, and reads the id_token', async () => {
    const config = await discover();

    const question = await oidc.initiateDeviceAuthorization(config, { scope });
    const polling = oidc.pollDeviceAuthorizationGrant(config, question);
    await decide(question.verification_uri_complete, 'approve');
    const tokens = await polling;

    assert.equal(tokens.scope, scope);
    assert.equal(tokens.claims().aud, television.id);
    const info = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
    assert.equal(info.preferred_username, process.env.PERSON_NAME);
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
    assert.ok(renewed.access_token);
  });

  test('hears the no of the person', async () => {
    const config = await discover();
    const question = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' });
    await decide(question.verification_uri_complete, 'deny');

    const refused = await oidc.pollDeviceAuthorizationGrant(config, question).catch((error) => error);

    assert.ok(refused instanceof oidc.ResponseBodyError, String(refused));
    assert.deepEqual([refused.error, refused.status], ['access_denied', 400]);
  });
});

suite('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const app = { client_id: television.id };

  test('accepts the answer and both words for a poll that brings nothing yet', async () => {
    const url = new URL(issuer);
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure));
    const ask = await oauth.deviceAuthorizationRequest(server, app, oauth.None(), { scope }, insecure);
    const question = await oauth.processDeviceAuthorizationResponse(server, app, ask);
    const poll = async () => {
      const answer = await oauth.deviceCodeGrantRequest(server, app, oauth.None(), question.device_code, insecure);
      return oauth.processDeviceCodeResponse(server, app, answer).catch((error) => error.error);
    };

    assert.equal(question.verification_uri, `${issuer}/device`);
    assert.deepEqual([await poll(), await poll()], ['authorization_pending', 'slow_down']);
  });
});
