// A person with a browser: cookies, forms and the pages that an app never sees. Knows no client library.

const { PERSON_NAME: username, PERSON_PASSWORD: password } = process.env;

/** A browser that nobody has signed in with yet. */
export function browser() {
  const cookies = new Map();

  async function open(url, form) {
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
    const location = answer.headers.get('location');
    return location ? open(new URL(location, url)) : { url, text: await answer.text() };
  }

  /** Sends the form of a page: its hidden fields, and what the person adds. */
  function send(page, path, more) {
    const inputs = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const hidden = Object.fromEntries(inputs.map(([, name, value]) => [name, value]));
    return open(new URL(path, page.url), { ...hidden, ...more });
  }

  return { open, send };
}

/** Follows the link that a device shows, signs in, and decides about the device. */
export async function decide(link, decision) {
  const { open, send } = browser();
  const field = await send(await open(link), '/login', { username, password });
  const question = await send(field, '/device', { user_code: new URL(link).searchParams.get('user_code') });
  return (await send(question, '/device', { decision })).text;
}
