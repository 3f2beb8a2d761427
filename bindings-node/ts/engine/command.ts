/**
 * The command `mcpbolt` in a process of Node. Owns: signals while it runs, and the end of the
 * process. Must not know: what a verb does.
 */
import type { Native } from './native';

/** Signals that end the command, and the exit codes that say so. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs the command with the arguments of the process, whose program is this file, and exits. */
export function command(file: string): void {
  let native: Native;
  try {
    ({ native } = require('./native') as { native: Native });
  } catch (error) {
    process.stderr.write(`mcpbolt: ${(error as Error).message.replace(/^mcpbolt /, '')}\n`);
    process.exitCode = 1;
    return;
  }
  const run = new native.Command();
  if (process.platform !== 'win32') {
    for (const [name, code] of Object.entries(SIGNALS)) {
      process.on(name, () => {
        if (!run.signal(name)) process.exit(code);
      });
    }
  }
  run.run(['mcpbolt', ...process.argv.slice(2)], [process.execPath, file], (code) => process.exit(code));
}
