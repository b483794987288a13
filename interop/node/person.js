// A person with a browser: cookies, forms and the pages that an app never sees. Knows no client library.

export const { PERSON_NAME: username, PERSON_EMAIL: email, PERSON_PASSWORD: password } = process.env;

/** A browser that nobody has signed in with yet. It goes where the server sends it, and stops where the server ends. */
export function browser() {
  const cookies = new Map();

  async function open(address, form) {
    const url = new URL(address);
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form && new URLSearchParams(form),
      headers: { accept: 'text/html', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      redirect: 'manual',
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split('=');
      cookies.set(name, value);
    }
    const text = await answer.text();
    if (!answer.headers.has('location')) return { url, text };
    const next = new URL(answer.headers.get('location'), url);
    return next.origin === url.origin ? open(next) : { url: next, text: '' };
  }

  /** Sends the form of a page: its hidden fields, and what the person adds. */
  function send(page, path, more) {
    return open(new URL(path, page.url), { ...hidden(page), ...more });
  }

  return { open, send };
}

const shows = (page, id) => page.text.includes(`id="${id}"`);

const plain = (text) => text.replace(/&#(\d+);/g, (_, number) => String.fromCodePoint(number));

function hidden(page) {
  const inputs = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name, plain(value)]));
}

/** Follows the link that a device shows, signs in, and decides about the device. */
export async function decide(link, decision) {
  const { open, send } = browser();
  const field = await send(await open(link), '/login', { username, password });
  const question = await send(field, '/device', { user_code: new URL(link).searchParams.get('user_code') });
  return (await send(question, '/device', { decision })).text;
}

/**
 * Follows the link of an app, signs in if asked to, and decides if asked to. Answers with what reaches the app: an
 * address, or a request where the answer comes by a form.
 */
export async function visit(link, { open, send } = browser(), decision = 'approve') {
  let page = await open(link);
  if (shows(page, 'login-submit')) page = await send(page, '/login', { username, password });
  if (shows(page, 'consent-approve')) page = await send(page, '/consent', { decision });
  if (shows(page, 'form-post')) {
    const [, action] = page.text.match(/id="form-post" method="post" action="([^"]*)"/);
    return new Request(plain(action), { method: 'POST', body: new URLSearchParams(hidden(page)) });
  }
  if (page.text) throw new Error(`nothing reaches the app: ${page.url} ${page.text.match(/<main.*<.main>/s)?.[0]}`);
  return page.url;
}

/** Follows a link to the page of sign-outs and says yes if asked. Answers with where the browser is then. */
export async function leave(link, { open, send }) {
  const page = await open(link);
  return (shows(page, 'logout-confirm') ? await send(page, '/logout', {}) : page).url;
}
