// The user's browser, a Chromium without a window: a person who signs in and agrees.

/** The bound of one page. */
const PATIENCE_MS = 30_000;
const FORMS = 'input[name=username], [name=accept]';

/** Starts Chromium with `puppeteer`; `person` is who uses it: name and password. */
export async function openChromium(puppeteer, executablePath, person) {
  // A container has no right to make a sandbox for the browser.
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  let session = await browser.createBrowserContext();
  return {
    /** Where the user who opens this URL ends up, at the client's redirect URI. Nobody listens there. */
    async browse(url, redirectUri) {
      const page = await session.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      try {
        return await signIn(page, url, redirectUri, person);
      } finally {
        await page.close();
      }
    },
    /** The text of the page where the user who opens this URL ends up, if a program listens there. */
    async visit(url, redirectUri) {
      const page = await session.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      try {
        await page.goto(url, { waitUntil: 'domcontentloaded' });
        while (!page.url().startsWith(redirectUri)) await answerForm(page, person, page.waitForNavigation({ waitUntil: 'load' }));
        return await page.evaluate(() => document.body.innerText);
      } finally {
        await page.close();
      }
    },
    /** Another user at the same machine: no cookies are left. */
    async forget() {
      await session.close();
      session = await browser.createBrowserContext();
    },
    close: () => browser.close(),
  };
}

async function signIn(page, url, redirectUri, person) {
  const arrived = new Promise((done) => {
    page.on('request', (request) => {
      if (!request.isNavigationRequest() || !request.url().startsWith(redirectUri)) return void request.continue();
      done(request.url());
      void request.respond({ status: 204 });
    });
  });
  await page.setRequestInterception(true);
  // Where the user is known and has agreed, the browser is sent back at once: no page is left.
  const opened = page.goto(url, { waitUntil: 'domcontentloaded' }).catch((error) => ({ error }));
  let ended = await Promise.race([arrived, opened]);
  while (typeof ended !== 'string') {
    const next = page.waitForNavigation({ waitUntil: 'domcontentloaded' }).catch((error) => ({ error }));
    ended = await Promise.race([arrived, answerForm(page, person, next)]);
  }
  return ended;
}

/** Fills in the form that the page shows, and sends it; the page that `next` brings. */
async function answerForm(page, person, next) {
  const form = await page.waitForSelector(FORMS).catch(() => null);
  if (form === null) {
    const text = await page.evaluate(() => document.body.innerText).catch(() => '');
    throw new Error(`the browser is at ${new URL(page.url()).pathname}, which asks for nothing: ${text.slice(0, 300)}`);
  }
  if ((await page.$('input[name=username]')) !== null) {
    await page.type('input[name=username]', person.name);
    await page.type('input[name=password]', person.password);
    await page.click('[name=login]');
  } else await page.click('[name=accept]');
  return next;
}
