// What users of McpServer get from the compiler, and what it costs them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const compilers = ['typescript', 'typescript5'];
const options = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'node16',
  moduleResolution: 'node16',
  types: ['node'],
  typeRoots: [join(dirname(require.resolve('@types/node/package.json')), '..')],
  skipLibCheck: true,
};

/** What a compiler prints for files in the folder of the types tests. */
async function tsc(compiler, files, flags = []) {
  const folder = mkdtempSync(join(here, 'types', '.run-'));
  try {
    const names = Object.entries(files).map(([name, text]) => {
      const file = join(folder, name);
      if (text !== undefined) writeFileSync(file, text);
      return text === undefined ? join(here, 'types', name) : file;
    });
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: names }));
    const bin = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
    return await new Promise((resolve, reject) => {
      execFile(process.execPath, [bin, '-p', config, '--pretty', 'false', ...flags], { timeout: 60_000 }, (error, stdout, stderr) => {
        if (error !== null && stdout === '') reject(new Error(stderr || error.message));
        else resolve(stdout);
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const compiler of compilers) {
  test(`types are inferred from every kind of schema, ${compiler}`, async () => {
    assert.equal(await tsc(compiler, { 'mcp.mts': undefined }), '');
  });
}

const count = (said) => {
  assert.doesNotMatch(said, /error TS/);
  return Number(/^Types:\s+(\d+)$/m.exec(said)[1]);
};

// The official package takes about 5,000 types for one tool. (Without any schema: a lint rule.)
test('types of tools stay few', async () => {
  const shape = '{ a: z.string(), b: z.number().optional(), c: z.array(z.string()) }';
  const tools = Array.from({ length: 20 }, (_, at) => `server.registerTool('t${at}', { inputSchema: ${shape} }, ({ a, b, c }) => ({ content: [{ type: 'text', text: a + b + c.length }] }));`);
  const text = `import { z } from 'zod';\nimport { McpServer } from 'mcpbolt/server/mcp.js';\nconst server = new McpServer({ name: 's', version: '1' });\n${tools.join('\n')}`;
  const said = await tsc('typescript5', { 'tools.mts': text }, ['--extendedDiagnostics']);
  assert.doesNotMatch(said, /error TS/);
  const types = Number(/^Types:\s+(\d+)$/m.exec(said)[1]);
  assert.ok(types < 2500, `20 tools take ${types} types`);
});
