// Bytes and text: base64url, SHA-256 and randomness, all from the browser itself.
export function base64url(bytes) {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromBase64url(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function textOf(base64) {
  return new TextDecoder().decode(fromBase64url(base64));
}

// 32 bytes become 43 characters, the least that a verifier may have (RFC 7636 §4.1).
export function random(length = 32) {
  return base64url(crypto.getRandomValues(new Uint8Array(length)));
}

export function hash(text, algorithm = "SHA-256") {
  return crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
}

export function hex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
