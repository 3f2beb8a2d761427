// Paths of a listener that are the program's: bodies that end early, break or are read slowly.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { makeServer, ours, within } from './support/http.mjs';
import { event } from './support/v2.mjs';

/** A listener whose program answers all other paths, and what its server reports. */
async function pages(fallback) {
  const server = makeServer(ours);
  const errors = [];
  server.onerror = (error) => errors.push(error.message);
  const listener = await server.listen({ fallback });
  return { url: listener.url.replace('/mcp', '/page'), errors, close: () => listener.close() };
}

/** A page whose head has come; its body is not read. */
function download(url) {
  const came = event();
  const asked = http.get(url, { agent: false }, came.happened).on('error', () => undefined);
  return within(came.promise, 'the head').then((answer) => [answer.on('error', () => undefined).pause(), asked]);
}

const STILL = {
  'while it waits for the next part': () => undefined,
  'while it waits for room': (controller) => controller.enqueue(new Uint8Array(256 * 1024)),
};
for (const [when, pull] of Object.entries(STILL)) {
  test(`a body whose reader leaves is cancelled: ${when}`, async () => {
    const [cancelled, aborted] = [event(), event()];
    const { url, errors, close } = await pages((request) => {
      request.signal.addEventListener('abort', aborted.happened);
      const start = (controller) => controller.enqueue(new TextEncoder().encode('begun'));
      return new Response(new ReadableStream({ start, pull, cancel: cancelled.happened }));
    });
    const [, asked] = await download(url);
    asked.destroy();
    await within(Promise.all([cancelled.promise, aborted.promise]), 'the end of the body');
    assert.deepEqual(errors, []);
    await close();
  });
}

test('a body that breaks ends the response, and the server reports it', async () => {
  const { url, errors, close } = await pages(() => {
    let parts = 0;
    const pull = (controller) => (parts++ === 0 ? controller.enqueue(new TextEncoder().encode('begun')) : controller.error(new Error('broken')));
    return new Response(new ReadableStream({ pull }));
  });
  const response = await within(fetch(url), 'the head');
  assert.equal(response.status, 200);
  const text = await within(response.text().catch(() => 'begun'), 'the end');
  assert.equal(text, 'begun');
  assert.deepEqual(errors, ['broken']);
  await close();
});

test('a page that cannot be made is 500, and the server reports why', async () => {
  const { url, errors, close } = await pages(() => {
    throw new Error('no such page');
  });
  assert.equal((await within(fetch(url))).status, 500);
  assert.deepEqual(errors, ['no such page']);
  await close();
});

test('a body that is read late is read to its end', async () => {
  const whole = 20 * 1024 * 1024;
  const { url, close } = await pages(() => new Response(new Uint8Array(whole)));
  const [answer] = await download(url);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  let size = 0;
  answer.on('data', (part) => (size += part.length)).resume();
  await within(new Promise((resolve) => answer.on('end', resolve)), 'the end');
  assert.equal(size, whole);
  await close();
});
