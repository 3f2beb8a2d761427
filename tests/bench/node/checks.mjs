// The loop of the programs that check tokens: a middleware, asked for each token of a file.
// Owns: the command line, the figures. Must not know: how tokens are checked.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
export const { values: ARGS } = parseArgs({ options: { issuer: text, resource: text, tokens: text, again: text } });
const TOKENS = readFileSync(ARGS.tokens, 'utf8').split('\n');

/** Measures `check`, which says whether a token was let through, and prints the report. */
export async function run(check) {
  // The keys are fetched before anything is measured, with a signature that is none.
  if (await check(`${TOKENS[0].slice(0, TOKENS[0].lastIndexOf('.'))}.AAAA`)) throw new Error('a forged token was taken');
  const again = Number(ARGS.again ?? 0);
  const warm = again ? TOKENS.length : Math.floor(TOKENS.length / 10);
  for (const token of TOKENS.slice(0, warm)) await check(token);
  const rest = again ? TOKENS : TOKENS.slice(warm);
  const micros = [];
  const before = process.cpuUsage();
  const started = performance.now();
  do {
    for (const token of rest) {
      const begun = performance.now();
      if (!(await check(token))) throw new Error('a token was refused');
      micros.push((performance.now() - begun) * 1e3);
    }
  } while (performance.now() - started < again * 1e3);
  const seconds = (performance.now() - started) / 1e3;
  const { user, system } = process.cpuUsage(before);
  micros.sort((one, other) => one - other);
  const at = (share) => micros[Math.floor(micros.length * share)];
  const memory = process.resourceUsage().maxRSS * 1024;
  const report = { calls: micros.length, seconds, p50: at(0.5), p99: at(0.99), cpu: (user + system) / 1e6, memory };
  console.log(JSON.stringify(report));
}

/** A check by middleware of Express: the request it is given, and what it does with it. */
export const byMiddleware = (middleware) => (token) =>
  new Promise((resolve) => {
    const refused = () => resolve(false);
    const response = { setHeader() {}, set() {}, header() {}, status: () => ({ json: refused, send: refused, end: refused }) };
    const request = { method: 'POST', url: '/mcp', headers: { authorization: `Bearer ${token}` } };
    middleware(request, response, (error) => resolve(error === undefined));
  });
