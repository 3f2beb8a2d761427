// What the programs of one scenario log, at the most that can be told, and whether something
// secret is in it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Shorter ones are words that stand in other texts too. */
const LEAST_LENGTH = 12;

export function openLogs() {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-auth-logs-'));
  return {
    /** What makes a program log everything: events by `tracing` or its language's logging, and every frame. */
    env: (program) => ({ LOG_EVERYTHING: '1', MCPBOLT_TRACE: join(folder, `${program}.jsonl`) }),
    /** Fails if one of the secrets is in a file of frames or in a text that a program wrote. */
    check(secrets, texts) {
      const frames = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
      const written = [...Object.entries(texts), ...frames];
      // Servers are ours and log each request: silence would mean that nothing was looked at.
      if (!texts.server.includes('mcpbolt')) throw new Error('the server logged nothing');
      for (const secret of secrets.filter((one) => one !== undefined && one.length >= LEAST_LENGTH)) {
        // Of a signed token the signature alone would do for some purposes.
        const part = secret.startsWith('ey') ? secret.split('.').at(-1) : secret;
        const [where, text] = written.find(([, text]) => text.includes(part)) ?? [];
        if (where === undefined) continue;
        const line = text.split('\n').find((one) => one.includes(part));
        throw new Error(`a secret is in a log of the ${where}: ${line.replaceAll(part, '<SECRET>').slice(0, 400)}`);
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
