// A browser without a window: goes from redirect to redirect with the cookies it is given, until
// it is sent to where nobody of this test listens.

/** Where a user who opens this URL ends up, at the client's redirect URI. */
export async function browse(start, redirectUri) {
  const cookies = new Map();
  let url = new URL(start);
  for (let hops = 0; hops < 20; hops += 1) {
    if (url.href.startsWith(redirectUri)) return url.href;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status} at ${url.pathname}: ${(await response.text()).slice(0, 300)}`);
    url = new URL(location, url);
  }
  throw new Error('the browser is sent around without an end');
}
