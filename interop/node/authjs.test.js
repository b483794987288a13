// Auth.js (@auth/core), which next-auth and its kin are made of: a site that is only given the issuer.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Auth } from '@auth/core';
import { browser, email, visit } from './person.js';
import { callback, client, issuer } from './world.js';

const { id: clientId, secret: clientSecret } = client('WEB');

/** A visitor's side of the site: its cookies, and the pages below /auth. */
function visitor({ idToken = false, ...asked } = {}) {
  const cookies = new Map();
  const valetkey = {
    id: 'valetkey',
    name: 'Valetkey',
    type: 'oidc',
    issuer,
    clientId,
    clientSecret,
    checks: ['pkce', 'state', 'nonce'],
    // By default Auth.js looks for names in the id_token alone, which here has those that were asked for one by one.
    idToken,
    authorization: { params: { scope: 'openid profile email', ...asked } },
  };
  const config = { providers: [valetkey], secret: 'only for this test', trustHost: true, basePath: '/auth' };
  config.logger = { error() {}, warn() {}, debug() {} };

  return async function open(path, form) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const body = form && new URLSearchParams(form);
    const request = new Request(new URL(path, callback), { method: form ? 'POST' : 'GET', body, headers: { cookie } });
    const answer = await Auth(request, config);
    for (const line of answer.headers.getSetCookie()) {
      const [name, ...value] = line.split(';')[0].split('=');
      cookies.set(name, value.join('='));
    }
    return answer;
  };
}

async function signIn(open, person, decision) {
  const { csrfToken } = await (await open('/auth/csrf')).json();
  const asked = await open('/auth/signin/valetkey', { csrfToken, callbackUrl: '/welcome' });
  const answer = await open(await visit(asked.headers.get('location'), person, decision));
  return new URL(answer.headers.get('location'), callback);
}

suite('Auth.js', () => {
  const inIdToken = { idToken: true, claims: { id_token: { name: null, email: null } } };
  for (const [place, how] of Object.entries({ userinfo: {}, 'the id_token': inIdToken })) {
    test(`a visitor signs in and has a session with a name and an address from ${place}`, async () => {
      const open = visitor(how);

      const then = await signIn(open, browser());

      assert.equal(then.pathname, '/welcome');
      const { user } = await (await open('/auth/session')).json();
      assert.deepEqual([user.name, user.email], ['Ada Lovelace', email]);
    });
  }

  test('a visitor who says no has none', async () => {
    const open = visitor({ prompt: 'consent' });

    const then = await signIn(open, browser(), 'deny');

    assert.ok(then.searchParams.has('error'), String(then));
    assert.equal(await (await open('/auth/session')).json(), null);
  });
});
