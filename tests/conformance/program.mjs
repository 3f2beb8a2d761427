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

/**
 * Starts `program ARGS --http 127.0.0.1:PORT`, or `bridge bridge --http 127.0.0.1:PORT -- program ARGS`;
 * resolves once it accepts connections.
 */
export async function startServer(words, bridge) {
  const port = await freePort();
  const http = ['--http', `127.0.0.1:${port}`];
  const [program, ...args] = bridge ? [bridge, 'bridge', ...http, '--', ...words] : [...words, ...http];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let gone;
  child.on('exit', (code, signal) => (gone = `the server ended: ${code ?? signal}`));
  child.on('error', (error) => (gone = String(error)));
  process.on('exit', () => child.kill('SIGKILL'));
  const until = Date.now() + START_MS;
  while (!(await accepts(port))) {
    if (gone) throw new Error(gone);
    if (Date.now() > until) throw new Error('the server does not listen');
    await pause(50);
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    /** Why it is no longer there, if it is not. */
    ended: () => gone,
    stop: () => child.kill('SIGTERM'),
  };
}
