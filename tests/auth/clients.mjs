// The clients, one a language: `PROGRAM URL SCENARIO`, the same program in each. What a client
// lacks is not run.
import { join } from 'node:path';

const here = import.meta.dirname;

/** What starts each client; `options` are those of `run.mjs`. */
export function clientsOf({ rust, python, kotlin, swift }) {
  const rows = [
    { language: 'rust', program: [join(rust, 'auth-client')], lacks: ['dpop'] },
    { language: 'python', program: python && [python, join(here, 'client.py')], lacks: ['dpop'] },
    { language: 'node', program: [process.execPath, join(here, 'client.mjs')], lacks: [] },
    { language: 'kotlin', program: kotlin && [join(kotlin, 'auth-client')], lacks: ['dpop'] },
    { language: 'swift', program: swift && [join(swift, 'auth-client')], lacks: ['dpop'] },
  ];
  return rows.filter(({ program }) => program !== undefined);
}
