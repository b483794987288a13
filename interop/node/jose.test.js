// jose, with keys that it fetches and caches by itself.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as jose from 'jose';
import { audience, issue, issuer, rotate, signing } from './world.js';

// Unknown keys are fetched at once; by default jose waits for half a minute after the last fetch.
const remoteKeys = () => jose.createRemoteJWKSet(new URL(`${issuer}/jwks`), { cooldownDuration: 0 });
const expected = {
  issuer,
  audience,
  typ: 'at+jwt',
  requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id'],
};

suite('JWT access tokens', () => {
  for (const [algorithm, who] of Object.entries(signing)) {
    test(`one signed with ${algorithm} is valid`, async () => {
      const token = await issue(who);

      const { payload, protectedHeader } = await jose.jwtVerify(token, remoteKeys(), {
        ...expected,
        algorithms: [algorithm],
      });

      assert.equal(protectedHeader.alg, algorithm);
      assert.equal(payload.client_id, who.id);
    });

    test(`cached keys follow a rotation of ${algorithm}`, async () => {
      const keys = remoteKeys();
      const old = await issue(who);
      await jose.jwtVerify(old, keys, expected);

      const fresh = await rotate(algorithm);

      await jose.jwtVerify(fresh, keys, expected);
      await jose.jwtVerify(old, keys, expected);
    });
  }

  test('a changed token is refused', async () => {
    const [head, body, signature] = (await issue(signing.ES256)).split('.');
    const changed = [head, body, (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1)].join('.');

    await assert.rejects(jose.jwtVerify(changed, remoteKeys(), expected), jose.errors.JWSSignatureVerificationFailed);
  });
});

test('every published key is complete and public', async () => {
  const { keys } = await (await fetch(`${issuer}/jwks`)).json();

  assert.deepEqual([...new Set(keys.map(({ alg }) => alg))].sort(), ['ES256', 'EdDSA', 'RS256']);
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length);
  for (const key of keys) {
    assert.equal(key.use, 'sig');
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.equal(key[secret], undefined);
    await jose.importJWK(key);
  }
});
