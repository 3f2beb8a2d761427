// The packages that stand in for the split ones of 2.x under an npm alias, for example
// `"@modelcontextprotocol/server": "npm:@mcpbolt/server@…"`: each only names what
// mcpbolt has. Owns: their names and subpaths.

/** Package of ours, and each of its subpaths with the module it forwards to. */
export const FORWARDED = {
  server: {
    '.': 'v2/server',
    './stdio': 'v2/server/stdio',
    './ext/skills': 'v2/server/ext/skills',
    './ext/skills/node': 'v2/server/ext/skills/node',
    './validators/ajv': 'v2/validators/ajv',
    './validators/cf-worker': 'v2/validators/cf-worker',
  },
  client: {
    '.': 'v2/client',
    './stdio': 'v2/client/stdio',
    './ext/skills': 'v2/client/ext/skills',
    './validators/ajv': 'v2/validators/ajv',
    './validators/cf-worker': 'v2/validators/cf-worker',
  },
  core: { '.': 'v2/core', './internal': 'v2/core/internal', './ext/skills': 'v2/core/ext/skills' },
  node: { '.': 'v2/node' },
  express: { '.': 'v2/express' },
  hono: { '.': 'v2/hono' },
  fastify: { '.': 'v2/fastify' },
  'server-legacy': { '.': 'server-legacy', './sse': 'server-legacy/sse', './auth': 'server-legacy/auth' },
};

/** A file for each of the four ways to load a module. */
function four(stem, target) {
  return {
    [`${stem}.mjs`]: `export * from '${target}';\n`,
    [`${stem}.d.mts`]: `export * from '${target}';\n`,
    [`${stem}.cjs`]: `'use strict';\nmodule.exports = require('${target}');\n`,
    [`${stem}.d.cts`]: `export * from '${target}';\n`,
  };
}

function row(stem) {
  return {
    import: { types: `./${stem}.d.mts`, default: `./${stem}.mjs` },
    require: { types: `./${stem}.d.cts`, default: `./${stem}.cjs` },
  };
}

/** Manifest and files of each; `common` says what all packages say of themselves. */
export function forwarding(common) {
  return Object.entries(FORWARDED).map(([name, subpaths]) => {
    const exported = {};
    let files = {};
    for (const [subpath, module] of Object.entries(subpaths)) {
      const stem = subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-');
      exported[subpath] = row(stem);
      files = { ...files, ...four(stem, `mcpbolt/${module}`) };
    }
    const about = common(`@mcpbolt/${name}`, `mcpbolt under the name of @modelcontextprotocol/${name}`);
    const facts = { ...about, main: './index.cjs', types: './index.d.cts', exports: exported, files: [...Object.keys(files), 'LICENSE-*'], dependencies: { mcpbolt: about.version } };
    return { name: `forward-${name}`, facts, files };
  });
}
