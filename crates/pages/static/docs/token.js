// The token of this page. It lives in this module and nowhere else: a reload forgets it.
const listeners = [];
let held;
let ending;

export function current() {
  return held;
}

// { access_token, scope, until, client }; only the first must be there.
export function hold(token) {
  clearTimeout(ending);
  held = token;
  // A timer counts to 2^31 milliseconds; nobody leaves the page open for longer.
  if (held?.until) ending = setTimeout(() => hold(undefined), Math.min(held.until - Date.now(), 2 ** 31 - 1));
  for (const listener of listeners) listener(held);
}

export function whenHeld(listener) {
  listeners.push(listener);
}
