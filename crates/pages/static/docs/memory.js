// What this tab remembers on the way to the sign-in page: the client, and the attempt that is under way. Never a token.
const KEY = "valetkey-api-docs";

export function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

// Members that are undefined are dropped.
export function remember(changes) {
  sessionStorage.setItem(KEY, JSON.stringify({ ...recall(), ...changes }));
}
