// The server under test: started on a free port, ended with the runner.

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const START_MS = 20_000;

/** Below those that systems give to whoever asks for any: nobody is given it meanwhile. */
function freePort() {
  const port = randomInt(10_000, 32_000);
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(freePort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Starts a program, which is told of a free port; resolves once it accepts connections there. */
async function listening(words, http) {
  const port = await freePort();
  const [program, ...args] = http(`127.0.0.1:${port}`);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let gone;
  child.on('exit', (code, signal) => (gone = `${words} ended: ${code ?? signal}`));
  child.on('error', (error) => (gone = String(error)));
  process.on('exit', () => child.kill('SIGKILL'));
  const until = Date.now() + START_MS;
  while (!(await accepts(port))) {
    if (gone) throw new Error(gone);
    if (Date.now() > until) throw new Error(`${words} does not listen`);
    await pause(50);
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    /** Why it is no longer there, if it is not. */
    ended: () => gone,
    stop: () => child.kill('SIGTERM'),
  };
}

/**
 * What a bridge is put in front of: the program over stdio, the program over HTTP, or that again behind a
 * bridge on standard streams, as hosts start one for a URL.
 */
const BEHIND = {
  command: (words) => ['--', ...words],
  url: (_words, _bridge, url) => [url],
  lines: (_words, bridge, url) => ['--', bridge, 'bridge', url],
};

/**
 * Starts `program ARGS --http 127.0.0.1:PORT`, or `bridge bridge --http 127.0.0.1:PORT` in front of it;
 * resolves once it accepts connections.
 */
export async function startServer(words, bridge, onto = 'command') {
  const own = (address) => [...words, '--http', address];
  if (!bridge) return listening('the server', own);
  const server = onto === 'command' ? undefined : await listening('the server', own);
  const front = await listening('the bridge', (address) => [
    ...[bridge, 'bridge', '--http', address],
    ...BEHIND[onto](words, bridge, server?.url),
  ]);
  return {
    url: front.url,
    ended: () => front.ended() ?? server?.ended(),
    stop: () => [front, server].forEach((started) => started?.stop()),
  };
}
