// The loop in which client contestants make their calls, and what they print.
//
// The same loop and report as the Rust contestants': so many workers, each one call at a
// time, every reply compared, latencies and processor time counted after a warm-up.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const MORE = ' jumps over the "lazy" dog\n';

/** The command line; `more` makes each text as long as `--text` says, in characters. */
export function settings() {
  const options = {
    seconds: { type: 'string', default: '1' },
    'in-flight': { type: 'string', default: '64' },
    'warm-up': { type: 'string', default: '2000' },
    text: { type: 'string', default: '0' },
    modern: { type: 'boolean', default: false },
    url: { type: 'string', default: '' },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  return {
    seconds: Number(values.seconds),
    inFlight: Number(values['in-flight']),
    warmUp: Number(values['warm-up']),
    more: MORE.repeat(Math.floor(Number(values.text) / MORE.length)),
    modern: values.modern,
    url: values.url,
    command: positionals,
  };
}

/** Makes calls with `call`, which gives back a result; prints the report. */
export async function run(given, call) {
  await load(given, (last) => last <= given.warmUp, call);
  const before = process.cpuUsage();
  const started = performance.now();
  const end = started + given.seconds * 1000;
  const latencies = await load(given, (_, now) => now < end, call);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  latencies.sort((one, other) => one - other);
  const at = (share) => latencies[Math.floor((latencies.length - 1) * share)] * 1000;
  const memory = peakMemory();
  const report = { calls: latencies.length, seconds, p50: at(0.5), p99: at(0.99), cpu: (user + system) / 1e6, memory };
  console.log(JSON.stringify(report));
}

/** What `resourceUsage` says outlives `exec`: it would be at least what started us once had. */
function peakMemory() {
  const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return found === null ? 0 : Number(found[1]) * 1024;
}

async function load({ inFlight, more }, goesOn, call) {
  const latencies = [];
  let last = 0;
  const worker = async () => {
    for (;;) {
      last += 1;
      const sent = performance.now();
      if (!goesOn(last, sent)) return;
      const text = `call ${last} says: the quick brown fox${more}`;
      const result = await call(text);
      const came = result.content[0].text;
      if (came !== text) throw new Error(`a wrong reply: ${came}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return latencies;
}
