// UriTemplate answers as the official one does, and no URI makes it slow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UriTemplate as Official } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { UriTemplate } from 'mcpbolt/shared/uriTemplate.js';

const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

const VALUES = { v: 'x y', w: ['a', 'b,c'], p: 'p/q', f: 'é#', e: ['1', '2'], s: ['k', 'l'], q: 'Q&', r: ['1', '2'], a: 'A', n: '' };

/** Everything a class says of a template and a URI. */
function said(Template, text, uri) {
  return attempt(() => {
    const template = new Template(text);
    const { variableNames } = template;
    return [variableNames, String(template), Template.isTemplate(text), attempt(() => template.expand(VALUES)), attempt(() => template.match(uri))];
  });
}

test('the usual templates', () => {
  const cases = [
    ['mem://{a}', 'mem://x'],
    ['mem://{a}/{b}', 'mem://x/y'],
    ['mem://{a}/{b}', 'mem://x/y/z'],
    ['file:///{+path}', 'file:///a/b/c.txt'],
    ['file:///{+path}', 'file:///a\nb'],
    ['x{/seg*}', 'x/a,b,c'],
    ['x{?q,r}', 'x?q=1&r=2'],
    ['x{?q}{&r}', 'x?q=1&r=2'],
    ['x{.e}', 'x.json'],
    ['{a}{b}', 'abc'],
    ['{a}-{b}', 'a-b-c'],
    ['{+p}/{+f}', 'a/b/c'],
    ['{a*}', 'a,b'],
    ['{a*}', 'a,,b'],
    ['{a*},{b}', 'a,b,c'],
    ['{v,w}', 'x'],
    ['plain', 'plain'],
    ['{unclosed', 'x'],
    ['{ spaced }', 'x'],
    ['', ''],
    ['{#f}', 'abc'],
  ];
  for (const [text, uri] of cases) assert.deepEqual(said(UriTemplate, text, uri), said(Official, text, uri), `${text} ${uri}`);
});

test('templates nobody would write', () => {
  const parts = ['a', 'b', '/', ',', '.', '?', '&x=', '{v}', '{v*}', '{+p}', '{#f}', '{.e}', '{/s}', '{/s*}', '{?q}', '{?q,r}', '{&q}', '{v,w}', '{a}', ' ', '\n', 'é', '{', '}', '$', '('];
  const units = ['a', 'b', '/', ',', '.', '?', '&', 'q=', 'r=', '\n', 'é', ',,', '#', '$', '('];
  let seed = 7;
  const below = (n) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
  const some = (from, most) => Array.from({ length: 1 + below(most) }, () => from[below(from.length)]).join('');
  let matches = 0;
  for (let round = 0; round < 20000; round++) {
    const text = some(parts, 5);
    // An expression without a name breaks the official matcher. (differs: template-without-name)
    if (/\{[+#./?&]?[\s,*]*\}/.test(text)) continue;
    const made = attempt(() => new Official(text).expand(VALUES));
    for (const uri of [made, some(units, 8)]) {
      const expected = said(Official, text, uri);
      assert.deepEqual(said(UriTemplate, text, uri), expected, JSON.stringify([text, uri]));
      if (expected.at(-1) !== null) matches += 1;
    }
  }
  assert.ok(matches > 1000, `${matches} matches`);
});

test('limits are those of the official class', () => {
  const long = 'x'.repeat(1_000_001);
  for (const run of [(T) => new T(long), (T) => new T('{a}').match(long), (T) => new T('{a}').expand({ a: long }), (T) => new T('{a}'.repeat(10_001))]) {
    assert.equal(attempt(() => run(UriTemplate)), attempt(() => run(Official)));
  }
});

// CVE-2026-0621: a regular expression of nested repetitions took years for such URIs.
test('no URI takes more than linear time', () => {
  const templates = ['x{/a*}{/b*}{/c*}', '{a*}{b*}{c*}{d*}', '{+a}{+b}{+c}!', '{a}{b}{c}{d}{e}!', 'x{?a,b,c}'];
  const unit = ['a', ',', 'a,', '/a,', '&a=', '!'];
  const time = (length) => {
    // Processor time: others on the machine do not count.
    const before = process.cpuUsage();
    for (const template of templates) {
      for (const part of unit) new UriTemplate(template).match(`x/${part.repeat(length)}\u0000`);
    }
    return process.cpuUsage(before).user / 1000;
  };
  time(1000);
  const [short, long] = [time(2000), time(40000)];
  assert.ok(long < 60 * Math.max(short, 1), `20 times the length took ${Math.round(long / short)} times as long`);
  const before = process.cpuUsage();
  UriTemplate.isTemplate('{'.repeat(900_000));
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});
