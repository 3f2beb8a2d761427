// One official suite as a program: its scenarios, and one scenario's verdict.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program in its own process group, so that everything it started ends with it. */
function collect(program, args, limitMs, compiled) {
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env });
    const chunks = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, limitMs);
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => chunks.push(Buffer.from(String(error))));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, timedOut, text: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

export class Suite {
  constructor(home, name) {
    this.main = join(home, 'node_modules', name, 'dist', 'index.js');
    // Each scenario starts the suite anew, and half of what a start takes is to compile it.
    this.compiled = join(home, 'compiled');
  }

  /** The scenarios of one side ("server" or "client"), in the suite's order. */
  async scenarios(side, revision) {
    const filter = revision ? ['--spec-version', revision] : [];
    const { code, text } = await collect(process.execPath, [this.main, 'list', `--${side}`, ...filter], 60_000, this.compiled);
    const found = [...text.matchAll(/^ +- (\S+)(?: \[([^\]]*)\])?$/gm)];
    if (code !== 0 || found.length === 0) throw new Error(`the suite lists nothing: ${text.slice(0, 500)}`);
    return found.map(([, name, tags = '']) => ({ name, tags: tags.split(',').map((tag) => tag.trim()) }));
  }

  /**
   * Runs one scenario; `aim` says at what, `out` is where its files are kept. With `force` it is run in a
   * revision that it does not name; with `strict` a check that is skipped is a problem.
   */
  async run(side, scenario, { aim, revision, force, strict, out, timeoutMs }) {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const args = [this.main, side, ...aim, '--scenario', scenario, '-o', out];
    if (revision) args.push('--spec-version', revision);
    if (force) args.push('--force');
    if (side === 'client') args.push('--timeout', String(timeoutMs));
    const ended = await collect(process.execPath, args, timeoutMs + 90_000, this.compiled);
    writeFileSync(join(out, 'runner.txt'), ended.text);
    return verdict(side, ended, checksIn(out), strict);
  }
}

function checksIn(folder) {
  if (!existsSync(folder)) return undefined;
  const file = readdirSync(folder, { recursive: true }).find((name) => name.endsWith('checks.json'));
  return file && JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

/**
 * Failures and warnings count the same; so does a client's exit code, its time-out, and a scenario without
 * checks. What is skipped counts where that is asked for.
 */
function verdict(side, ended, checks, strict) {
  const bad = ['FAILURE', 'WARNING', ...(strict ? ['SKIPPED'] : [])];
  const problems = [];
  for (const { id, status, errorMessage, description } of checks ?? []) {
    if (bad.includes(status)) {
      problems.push(`${status.toLowerCase()} ${id}: ${oneLine(errorMessage ?? description)}`);
    }
  }
  const passed = (checks ?? []).filter(({ status }) => status === 'SUCCESS').length;
  if (ended.timedOut) problems.push('the suite did not end');
  else if (!checks) problems.push(`no checks: ${oneLine(ended.text.trim().split('\n').at(-1))}`);
  else if (ended.code !== 0 && problems.length === 0) problems.push(exitOf(side, ended));
  if (passed === 0 && problems.length === 0) problems.push('nothing was checked');
  return { passed, problems };
}

function exitOf(side, { code, text }) {
  if (side === 'client' && text.includes('TIMED OUT')) return 'the client timed out';
  const said = text.split('\n').find((line) => line.includes('CLIENT EXITED'));
  return said ? oneLine(said) : `exit code ${code}`;
}

function oneLine(text) {
  return String(text ?? '').replace(/\s+/g, ' ').slice(0, 300);
}
