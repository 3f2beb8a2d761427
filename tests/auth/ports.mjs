// Ports of the loopback that nobody uses.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any: nobody is given it meanwhile. */
export function freePort() {
  const port = randomInt(10_000, 32_000);
  return new Promise((done) => {
    const probe = createServer().on('error', () => done(freePort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(port)));
  });
}
