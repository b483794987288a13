// Reads a JWT, and checks what an app must check before it believes one.
import { base64url, fromBase64url, hash, textOf } from "./encode.js";

const ALGORITHMS = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
};

export function decode(token) {
  const [header, payload] = token.split(".").slice(0, 2).map((part) => JSON.parse(textOf(part)));
  return { header, payload };
}

// The key is chosen by its id and must be made for the algorithm: the token alone does not decide how it is checked.
export async function isSigned(token, keys) {
  const [header, payload, signature] = token.split(".");
  const { alg, kid } = decode(token).header;
  const key = keys.find((candidate) => candidate.kid === kid && candidate.alg === alg);
  const algorithm = ALGORITHMS[alg];
  if (!key || !algorithm) return false;
  const imported = await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  return crypto.subtle.verify(algorithm, imported, fromBase64url(signature), signed);
}

// OpenID Connect Core §3.1.3.6: the left half of the hash of the access token.
export async function accessTokenHash(accessToken, alg) {
  const digest = await hash(accessToken, alg === "EdDSA" ? "SHA-512" : "SHA-256");
  return base64url(digest.slice(0, digest.byteLength / 2));
}
