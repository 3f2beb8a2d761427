// Runs the official conformance suites against our server or our client.
//
//   node run.mjs server --suites DIR (--program PATH | --url URL) [options]
//   node run.mjs client --suites DIR  --program PATH              [options]
//     --program WORD   once more for each of the program's first arguments
//     --bridge PATH    the program `mcpbolt`, which is to serve the server
//     --onto WAY       how the bridge reaches the server: command (over stdio, if not said), url (over HTTP),
//                      lines (a second bridge, on standard streams, onto the URL)
//     --language NAME  what the program is written in: it decides which legs are run
//     --only REGEX     scenarios whose name matches; the known maxima are then not compared
//     --leg REGEX      legs whose name matches
//     --out DIR        where each scenario's files are kept
//     --summary FILE   one line per leg, the verdict last
//     --timeout MS     how long a client may take for a scenario; 30000 if not said
//     --jobs N         scenarios at once; 2 if not said
//     -v               a line per scenario
//
// Exit code: 0 if no check failed or warned, 1 otherwise, 2 if nothing could be run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { legsOfClient, legsOfServer, serversOfExtensions, skippedByTheSuite, wantedOfClient } from './legs.mjs';
import { startServer } from './program.mjs';
import { Suite } from './suite.mjs';

const text = { type: 'string' };
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suites: text,
    program: { type: 'string', multiple: true, default: [] },
    url: text,
    bridge: text,
    onto: { type: 'string', default: 'command' },
    language: text,
    only: text,
    leg: text,
    out: { type: 'string', default: '.cache/conformance-out' },
    summary: text,
    timeout: { type: 'string', default: '30000' },
    jobs: { type: 'string', default: '2' },
    verbose: { type: 'boolean', short: 'v' },
  },
});

/** Calls `work` for each item, a few at once; results in the order of the items. */
async function each(items, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, worker));
  return results;
}

async function runLeg(side, leg, aim) {
  const suite = new Suite(resolve(options.suites), leg.suite);
  const only = options.only && new RegExp(options.only);
  // A scenario that is forced is on the list of no revision.
  const scenarios = (await suite.scenarios(side, leg.force ? undefined : leg.revision))
    .filter((scenario) => side === 'server' || wantedOfClient(leg, scenario))
    .filter((scenario) => suits(leg, scenario))
    .filter(({ name }) => !only || only.test(name));
  const verdicts = await each(scenarios, async ({ name }) => {
    const out = join(resolve(options.out), side, leg.name.replaceAll(' ', ''), name.replaceAll('/', '_'));
    const { revision, force, extension: strict } = leg;
    const verdict = await suite.run(side, name, { aim, revision, force, strict, out, timeoutMs: Number(options.timeout) });
    if (options.verbose || verdict.problems.length > 0) {
      const mark = verdict.problems.length > 0 ? 'FAILED' : 'ok';
      console.log(`    [${leg.name}] ${name}: ${mark}, ${verdict.passed} checks passed`);
      for (const problem of verdict.problems) console.log(`        ${problem}`);
    }
    return verdict;
  });
  return judge(leg, verdicts, Boolean(only));
}

/** The stable suite is run whole; the other by the revisions a scenario names, or by its name. */
function suits(leg, { name, tags }) {
  if (name in skippedByTheSuite) return false;
  if (leg.scenarios) return leg.scenarios.test(name);
  return !leg.revision || leg.force || tags.includes(leg.revision);
}

function judge(leg, verdicts, partial) {
  const passed = verdicts.reduce((sum, verdict) => sum + verdict.passed, 0);
  const problems = verdicts.reduce((sum, verdict) => sum + verdict.problems.length, 0);
  const good = verdicts.filter((verdict) => verdict.problems.length === 0).length;
  let line = `${leg.name}: ${good}/${verdicts.length} scenarios, ${passed} checks passed, ${problems} failures and warnings`;
  const most = (options.bridge && leg.mostThroughABridge) ?? leg.most;
  let failed = problems;
  if (most !== undefined && !partial) {
    if (passed < most) failed += 1;
    line += passed < most ? `; MISSING ${most - passed} of ${most}` : `; known maximum ${most}`;
  }
  console.log(`    ${line}`);
  return { line, failed, passed, ran: verdicts.length };
}

/** Starts the server that has the extensions, if a leg needs one beside the server under test. */
async function startBeside(legs, program) {
  const other = serversOfExtensions[options.language];
  if (options.url || other === undefined || !legs.some(isBeside)) return undefined;
  return startServer([...program.slice(0, -1), join(dirname(program.at(-1)), other)], bridge(), options.onto);
}

const isBeside = (leg) => leg.extension && !leg.own;

const bridge = () => options.bridge && resolve(options.bridge);

async function main() {
  const [side] = positionals;
  if (!['server', 'client'].includes(side) || !options.suites || !(options.program.length || options.url)) {
    throw new Error('usage: run.mjs server|client --suites DIR --program PATH | --url URL');
  }
  // A name without a folder is one the system finds.
  const program = options.program.map((word) => (/[\\/]/.test(word) ? resolve(word) : word));
  const server = side === 'server' && !options.url ? await startServer(program, bridge(), options.onto) : undefined;
  const own =
    side === 'server'
      ? ['--url', options.url ?? server.url]
      : // `exec`: a shell in between would outlive the suite's time-out and hold its pipe open.
        ['--command', `exec ${program.map((word) => `'${word}'`).join(' ')}`];
  const legs = (side === 'server' ? legsOfServer(options.language) : legsOfClient(options.language)).filter(
    (leg) => !options.leg || new RegExp(options.leg).test(leg.name),
  );
  const beside = side === 'server' ? await startBeside(legs, program) : undefined;
  const results = [];
  for (const leg of legs) results.push(await runLeg(side, leg, beside && isBeside(leg) ? ['--url', beside.url] : own));
  for (const started of [server, beside]) {
    if (started?.ended()) results.push({ line: started.ended(), failed: 1, passed: 0, ran: 0 });
    started?.stop();
  }
  return results;
}

function close(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const last = `${sum('ran')} scenarios, ${sum('passed')} checks passed, ${sum('failed')} not as they should be`;
  console.log(`    ${last}`);
  if (options.summary) {
    mkdirSync(dirname(resolve(options.summary)), { recursive: true });
    writeFileSync(options.summary, [...results.map(({ line }) => line), last, ''].join('\n'));
  }
  return sum('ran') > 0 && sum('failed') === 0 ? 0 : 1;
}

try {
  process.exit(close(await main()));
} catch (error) {
  console.error(`    conformance: ${error.message}`);
  process.exit(2);
}
