// Puts the compiled modules into few files: finding and opening seventy of them costs a
// server more time at its start than running them. Each module keeps its own file, which
// names the one it is in, so that paths, and one copy of everything, stay.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What a stdio server loads is one file, everything else another. */
const FIRST = ['server/mcp', 'server/index', 'server/stdio'];
const CALL = /\brequire\((["'])(\.{1,2}\/[^"']+)\1\)/g;
/** At the start of a line: loaded with the module, not when it is needed. */
const AT_ONCE = /^(?:(?:const|var|let) .*= )?(?:__\w+\()?require\((["'])(\.{1,2}\/[^"']+)\1\)/gm;

const HEAD = `'use strict';
const known = new Map();
const modules = __MODULES__;
/** A module by its path below the package's folder. */
module.exports = function __module(id) {
  const before = known.get(id);
  if (before !== undefined) return before.exports;
  const code = modules[id];
  if (code === undefined) return __OTHERS__;
  const made = { exports: {} };
  known.set(id, made);
  code(made.exports, __module, made);
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

function file(ids, all, others) {
  const rows = ids.map((id) => {
    const body = all
      .get(id)
      .replace(/^"use strict";\n/, '')
      .replace(CALL, (_, _quote, path) => `__module('${target(id, path, all)}')`);
    return `'${id}': function (exports, __module, module) {\n${body}}`;
  });
  return HEAD.replace('__OTHERS__', () => others).replace('__MODULES__', () => `{\n${rows.join(',\n')}\n}`);
}

/** Writes the files; `paths` are the compiled modules of `dist`. */
export function bundle(dist, paths) {
  const all = new Map(paths.map((path) => [idOf(dist, path), readFileSync(path, 'utf8')]));
  const first = closure(FIRST, all);
  const rest = [...all.keys()].filter((id) => !first.has(id));
  const missing = "(() => { throw new Error(`there is no module ${id}`); })()";
  writeFileSync(join(dist, 'internal', 'first.js'), file([...first], all, "require('./rest.js')(id)"));
  writeFileSync(join(dist, 'internal', 'rest.js'), file(rest, all, `first.has(id) ? require('./first.js')(id) : ${missing}`).replace("const known", `const first = new Set(${JSON.stringify([...first])});\nconst known`));
  for (const path of paths) {
    const id = idOf(dist, path);
    const there = relative(dirname(path), join(dist, 'internal', first.has(id) ? 'first.js' : 'rest.js')).replaceAll('\\', '/');
    // In two steps: `module.exports = require(…)` would have the whole file searched for names.
    const text = `'use strict';\nconst load = require('./${there}');\nmodule.exports = load('${id}');\n`;
    writeFileSync(path, text.replace("'./../", "'../"));
  }
  return { first: first.size, rest: rest.length };
}
