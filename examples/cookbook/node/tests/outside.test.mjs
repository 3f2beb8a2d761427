// The programs of the cookbook that ask others: an API that is sometimes down, a repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import * as v2 from 'mcpbolt/v2/client';
import { SkillsClient } from 'mcpbolt/v2/client/ext/skills';
import { exchange, times } from '../rates.mjs';
import { releases } from '../release-notes.mjs';
import { LIMITED, connected, text } from './support.mjs';

const EUR_USD = { amount: 8, source: 'EUR', target: 'USD' };
const CONVERTED = { amount: 10, date: '2026-05-04', stale: false };

/** An API that answers with the statuses of `script`, then with rates; and a client of the program. */
async function upstream() {
  const seen = { asked: [], script: [], begun: () => undefined, go: Promise.resolve() };
  const fake = createServer(async ({ url }, response) => {
    seen.asked.push(url);
    const status = seen.script.shift() ?? 200;
    seen.begun();
    await seen.go;
    response.writeHead(status).end(JSON.stringify({ base: 'EUR', date: '2026-05-04', rates: { USD: 1.25 } }));
  });
  await new Promise((listening) => fake.listen(0, '127.0.0.1', () => listening(undefined)));
  after(() => fake.close());
  times.pauses = [0, 0];
  const client = await connected(exchange(`http://127.0.0.1:${fake.address().port}`));
  const convert = (given, options) => client.callTool({ name: 'convert', arguments: { ...EUR_USD, ...given } }, undefined, options);
  return { seen, convert };
}

test('an API that fails is asked again, and what it said is kept', LIMITED, async () => {
  const { seen, convert } = await upstream();
  seen.script = [503, 429];
  for (let calls = 0; calls < 2; calls += 1) assert.deepEqual((await convert()).structuredContent, CONVERTED);
  assert.deepEqual(seen.asked, Array(3).fill('/latest?base=EUR'));
  seen.script = [404];
  const unknown = await convert({ source: 'XYZ' });
  assert.ok(unknown.isError && /no such currency/.test(text(unknown)));
  assert.equal(seen.asked.length, 4);
});

test('an old rate is better than none, and says that it is old', LIMITED, async (t) => {
  const { seen, convert } = await upstream();
  seen.script = [500, 500, 500];
  const nothing = await convert();
  assert.ok(nothing.isError && /Try again in some minutes/.test(text(nothing)));
  assert.deepEqual((await convert()).structuredContent, CONVERTED);
  const { fresh } = times;
  t.after(() => (times.fresh = fresh));
  times.fresh = 0;
  seen.script = [500, 500, 500];
  assert.deepEqual((await convert()).structuredContent, { ...CONVERTED, stale: true });
  assert.equal(seen.asked.length, 7);
});

test('calls that want the same ask once, and one may leave', LIMITED, async () => {
  const { seen, convert } = await upstream();
  const begun = new Promise((resolve) => (seen.begun = () => resolve(undefined)));
  let go;
  seen.go = new Promise((resolve) => (go = resolve));
  const leave = new AbortController();
  const first = convert({}, { signal: leave.signal });
  const others = Array.from({ length: 3 }, () => convert());
  await begun;
  leave.abort();
  await assert.rejects(first);
  // Another currency is asked for by itself; its call came after those of the others.
  const more = new Promise((resolve) => (seen.begun = () => resolve(undefined)));
  const last = convert({ source: 'CHF' });
  await more;
  go();
  for (const each of [...others, last]) assert.deepEqual((await each).structuredContent, CONVERTED);
  assert.deepEqual(seen.asked, ['/latest?base=EUR', '/latest?base=CHF']);
});

/** One release, and two commits since. */
function repository() {
  const path = mkdtempSync(join(tmpdir(), 'cookbook-'));
  after(() => rmSync(path, { recursive: true }));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const ann = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  const git = (...words) => execFileSync('git', [...ann, '-C', path, ...words], { env, stdio: 'pipe' });
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'First');
  git('tag', 'v1.0');
  writeFileSync(join(path, 'tea.txt'), 'hot\n');
  git('add', 'tea.txt');
  git('commit', '--quiet', '-m', 'Tea is hot', '-m', 'It was cold.\n\nFor all cups.');
  git('commit', '--quiet', '--allow-empty', '-m', 'Second');
  return path;
}

test('a skill comes with the tools that it names', LIMITED, async () => {
  const client = await connected(await releases(repository()), new v2.Client({ name: 'test', version: '1.0.0' }));
  const skills = new SkillsClient(client);
  const { skill } = await skills.get('skill://release-notes/SKILL.md');
  assert.ok(client.getInstructions().includes(skill.uri));
  assert.match((await skills.read(skill, 'template.md')).text, /## What is new/);
  // A word of the skill in code is a tool, or a member of a result.
  const named = [...(await skills.read(skill)).text.matchAll(/`(\w+)`/g)].map(([, word]) => word);
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual([...new Set(named)].sort(), [...tools, 'more'].sort());

  const call = (name, given = {}) => client.callTool({ name, arguments: given });
  assert.equal(text(await call('last_release')), 'v1.0');
  const { commits, more } = (await call('changes', { since: 'v1.0' })).structuredContent;
  assert.deepEqual(commits.map(({ subject, details }) => [subject, details]), [
    ['Second', ''],
    ['Tea is hot', 'It was cold.\n\nFor all cups.'],
  ]);
  assert.equal(more, false);
  assert.match(text(await call('files_of', { commit: commits[1].id })), /tea\.txt/);
});

test('what git refuses is told, and an option never reaches it', LIMITED, async () => {
  const path = repository();
  const client = await connected(await releases(path), new v2.Client({ name: 'test', version: '1.0.0' }));
  const changes = (since) => client.callTool({ name: 'changes', arguments: { since } }).then(text, String);
  assert.match(await changes('v0.9'), /git says: /);
  assert.match(await changes('--output=here'), /since/);
  assert.deepEqual(readdirSync(path).sort(), ['.git', 'tea.txt']);
});
