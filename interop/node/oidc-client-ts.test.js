// oidc-client-ts, the library of apps that live in a browser: no secret, all state in the browser's storage.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ErrorResponse, InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import { browser, email, leave, visit } from './person.js';
import { callback, client, goodbye, issuer } from './world.js';

const spa = client('SPA');

function app(more) {
  return new OidcClient({
    authority: issuer,
    client_id: spa.id,
    redirect_uri: callback,
    post_logout_redirect_uri: goodbye,
    scope: 'openid email offline_access',
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    ...more,
  });
}

async function signIn(oidc, person, request = {}) {
  const { url } = await oidc.createSigninRequest(request);
  return oidc.processSigninResponse(String(await visit(url, person)));
}

suite('oidc-client-ts', () => {
  test('an app in a browser knows its user, renews its tokens and says goodbye', async () => {
    const [oidc, person] = [app(), browser()];

    const entered = await signIn(oidc, person, { state: { page: '/orders' }, nonce: 'n-1' });
    const renewed = await oidc.useRefreshToken({ state: { ...entered, data: entered.userState } });
    const { url } = await oidc.createSignoutRequest({ id_token_hint: renewed.id_token, state: 'bye' });
    const back = await leave(url, person);
    const gone = await oidc.processSignoutResponse(String(back));

    assert.equal(entered.profile.email, email);
    assert.deepEqual(entered.userState, { page: '/orders' });
    assert.notEqual(renewed.refresh_token, entered.refresh_token);
    assert.equal(renewed.profile.sub, entered.profile.sub);
    assert.ok(String(back).startsWith(goodbye));
    assert.equal(gone.userState, 'bye');
  });

  test('a silent renewal in a frame needs somebody who is signed in', async () => {
    const [oidc, person] = [app(), browser()];
    const stranger = await signIn(oidc, person, { prompt: 'none' }).catch((error) => error);
    const entered = await signIn(oidc, person);

    const silent = await signIn(oidc, person, { prompt: 'none', id_token_hint: entered.id_token });

    assert.ok(stranger instanceof ErrorResponse, String(stranger));
    assert.equal(stranger.error, 'login_required');
    assert.equal(silent.profile.sub, entered.profile.sub);
  });
});
