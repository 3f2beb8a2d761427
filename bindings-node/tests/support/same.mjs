// A program on the official package and on ours, answers compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { official, ours, oursSlow } from './kits.mjs';
import { Wire } from './wire.mjs';

export const info = { name: 's', version: '1' };
export const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
export const show = (args) => text(JSON.stringify(args));

/** What a function throws, as data. */
export const thrown = (run) => {
  try {
    run();
    return 'nothing';
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

/** What is printed to standard error meanwhile. */
export const warned = (run) => {
  const lines = [];
  const before = console.warn;
  console.warn = (...parts) => lines.push(parts.join(' '));
  try {
    run();
  } finally {
    console.warn = before;
  }
  return lines;
};

/** Connects a server and gives its answers to a list of requests, in order. */
export async function answers(server, requests) {
  const wire = new Wire();
  const hello = await wire.open(server);
  // The engine has an order of its own here. (differs: order-of-capabilities)
  const all = [Object.fromEntries(Object.entries(hello.capabilities).sort())];
  for (const [method, params] of requests) all.push(await wire.request(method, params));
  await server.close();
  return all;
}

export const call = (name, args) => ['tools/call', { name, ...(args === undefined ? {} : { arguments: args }) }];

/** Runs a program on the official package and on ours, both ways. */
export function same(name, program) {
  test(name, async () => {
    const expected = await program(official);
    const [fast, slow] = [await program(ours), await program(oursSlow)];
    assert.deepEqual(fast, expected);
    assert.equal(JSON.stringify(slow), JSON.stringify(fast), 'fast_path changes what is said');
  });
}
