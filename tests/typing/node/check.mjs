// Type checks of the Node package: `node tests/typing/node/check.mjs`, run by
// `cargo xtask lint typing-node` after the package is built.
//
// The package and user-shaped programs under tsc, strict, by three ways to resolve it and
// with two compilers; the packages that stand in for the official ones, and the programs on
// both; the examples and the guide's JavaScript, too; every exported item is documented;
// functions and lines are short; publint and attw on the package as it is published; what one
// import costs in types. Mistakes the compiler must find are marked with @ts-expect-error in
// the programs.
import { documented, shortFunctions, tidy } from './sources.mjs';
import { cost, programs, scripts } from './compile.mjs';
import { forwarded } from './forwarded.mjs';
import { published } from './published.mjs';

const checks = { documented, shortFunctions, tidy, programs, forwarded, scripts, cost, published };
const chosen = process.argv.slice(2);
let wrong = 0;
for (const [name, check] of Object.entries(checks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const started = performance.now();
  const { note, faults } = await check();
  for (const fault of faults) console.log(`    ${fault}`);
  wrong += faults.length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`    ${name}: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}, ${note}, ${seconds} s`);
}
process.exitCode = wrong === 0 ? 0 : 1;
