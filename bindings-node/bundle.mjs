// Puts the compiled modules into few files: finding and opening seventy of them costs a
// server more time at its start than running them. Each module keeps its own file, which
// names the one it is in, so that paths, and one copy of everything, stay.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What programs of a kind load at once is one file each; a module is in the first that has it. */
const GROUPS = {
  server: ['server/mcp', 'server/index', 'server/stdio'],
  client: ['client/index', 'client/stdio', 'client/streamableHttp', 'session'],
  'v2-server': ['v2/server', 'v2/server/stdio', 'v2/node'],
  'v2-client': ['v2/client', 'v2/client/stdio'],
  rest: undefined,
};
const CALL = /\brequire\((["'])(\.{1,2}\/[^"']+)\1\)/g;
/** At the start of a line: loaded with the module, not when it is needed. */
const AT_ONCE = /^(?:(?:const|var|let) .*= )?(?:__\w+\()?require\((["'])(\.{1,2}\/[^"']+)\1\)/gm;

const HEAD = `'use strict';
const known = new Map();
const modules = __MODULES__;
const elsewhere = __ELSEWHERE__;
/** A module by its path below the package's folder. */
module.exports = function __module(id) {
  const before = known.get(id);
  if (before !== undefined) return before.exports;
  const code = modules[id];
  if (code === undefined) return elsewhere[id]()(id);
  const made = { exports: {} };
  known.set(id, made);
  try {
    code(made.exports, __module, made);
  } catch (error) {
    known.delete(id);
    throw error;
  }
  return made.exports;
};
`;

function idOf(dist, path) {
  return relative(dist, path).replaceAll('\\', '/').replace(/\.js$/, '');
}

/** The module that a relative path means, from a module. */
function target(from, path, all) {
  const id = join(dirname(from), path).replaceAll('\\', '/').replace(/\.js$/, '');
  const found = [id, `${id}/index`].find((candidate) => all.has(candidate));
  if (found === undefined) throw new Error(`${from}: there is no module ${path}`);
  return found;
}

/** Everything that some modules load at once. */
function closure(roots, all) {
  const found = new Set();
  const open = [...roots];
  while (open.length > 0) {
    const id = open.pop();
    if (found.has(id) || !all.has(id)) continue;
    found.add(id);
    for (const [, , path] of all.get(id).matchAll(AT_ONCE)) open.push(target(id, path, all));
  }
  return found;
}

/** The modules that a module names, whenever it loads them. */
function named(id, all) {
  return [...all.get(id).matchAll(CALL)].map(([, , path]) => target(id, path, all));
}

function file(ids, all, groupOf) {
  const rows = ids.map((id) => {
    const body = all
      .get(id)
      .replace(/^"use strict";\n/, '')
      .replace(CALL, (_, _quote, path) => `__module('${target(id, path, all)}')`);
    return `'${id}': function (exports, __module, module) {\n${body}}`;
  });
  const own = new Set(ids);
  const others = [...new Set(ids.flatMap((id) => named(id, all)))].filter((id) => !own.has(id));
  const ways = others.map((id) => `'${id}': () => require('./all-${groupOf.get(id)}.js')`);
  const parts = { __MODULES__: rows, __ELSEWHERE__: ways };
  return Object.entries(parts).reduce((text, [name, lines]) => text.replace(name, () => `{\n${lines.join(',\n')}\n}`), HEAD);
}

/** Writes the files; `paths` are the compiled modules of `dist`. */
export function bundle(dist, paths) {
  const all = new Map(paths.map((path) => [idOf(dist, path), readFileSync(path, 'utf8')]));
  const groupOf = new Map();
  for (const [group, roots] of Object.entries(GROUPS)) {
    const members = roots === undefined ? all.keys() : closure(roots, all);
    for (const id of members) if (!groupOf.has(id)) groupOf.set(id, group);
  }
  mkdirSync(join(dist, 'internal'), { recursive: true });
  for (const group of Object.keys(GROUPS)) {
    const ids = [...all.keys()].filter((id) => groupOf.get(id) === group);
    writeFileSync(join(dist, 'internal', `all-${group}.js`), file(ids, all, groupOf));
  }
  for (const path of paths) {
    const id = idOf(dist, path);
    const there = relative(dirname(path), join(dist, 'internal', `all-${groupOf.get(id)}.js`)).replaceAll('\\', '/');
    const from = there.startsWith('.') ? there : `./${there}`;
    // In two steps: `module.exports = require(…)` would have the whole file searched for names.
    writeFileSync(path, `'use strict';\nconst load = require('${from}');\nmodule.exports = load('${id}');\n`);
  }
}
