// What this tab remembers, so that the way to the sign-in page and a reload lose nothing.
//
// sessionStorage ends with the tab, and no other tab sees it. Every script of this origin could read it, though: a real
// app leaves its refresh token in an HttpOnly cookie.
const KEY = "valetkey-playground";
const listeners = [];
let held = read();

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function recall() {
  return held;
}

// Members that are undefined are dropped.
export function remember(changes) {
  held = JSON.parse(JSON.stringify({ ...held, ...changes }));
  sessionStorage.setItem(KEY, JSON.stringify(held));
  for (const listener of listeners) listener();
}

export function forget() {
  held = {};
  sessionStorage.removeItem(KEY);
}

export function whenChanged(listener) {
  listeners.push(listener);
}
