// The JavaScript of the guide: from test files into its chapters.
//
// `node bindings-node/tests/guide/snippets.mjs` writes the chapters; a test compares. In a
// test file, what stands between `// [guide]` and `// [end]` is one fence of the chapter,
// in order; `// [guide] FILE` stands for a whole program beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const GUIDE = join(HERE, '../../../docs/guide');
const FENCE = /^```js\n(.*?)^```$/gms;
const REGION = /^\/\/ \[guide\](?: (\S+)|\n(.*?)^\/\/ \[end\])$/gms;

/** Pages without code in JavaScript: the overview, that for phones, and those whose programs are in Rust so far. */
const OTHERS = ['README.md', 'authorization.md', 'command-line.md', 'extensions.md', 'nodes.md', 'phones.md', 'skills.md'];

/** Names of the chapters with code in JavaScript, without their ending. */
export function chapters() {
  const files = readdirSync(GUIDE).filter((name) => name.endsWith('.md') && !OTHERS.includes(name));
  return files.map((name) => name.replace(/\.md$/, '')).sort();
}

/** The test file of a chapter. */
export const sourceOf = (chapter) => join(HERE, `${chapter}.test.mjs`);

/** The file of a chapter. */
export const fileOf = (chapter) => join(GUIDE, `${chapter}.md`);

/** A chapter as it stands there. */
export const textOf = (chapter) => readFileSync(fileOf(chapter), 'utf8');

/** What a test file gives to its chapter. */
export function regions(path) {
  const found = [...readFileSync(path, 'utf8').matchAll(REGION)];
  return found.map(([, file, code]) => (file === undefined ? code : readFileSync(join(HERE, file), 'utf8')));
}

/** The JavaScript of a document. */
export const fences = (text) => [...text.matchAll(FENCE)].map(([, code]) => code);

/** A document with other code in its fences. */
export function rewritten(text, code) {
  const given = [...code];
  return text.replace(FENCE, () => `\`\`\`js\n${given.shift()}\`\`\``);
}

// Writes all chapters; those with another number of fences than regions are named.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const chapter of chapters()) {
    const [text, code] = [textOf(chapter), regions(sourceOf(chapter))];
    if (fences(text).length === code.length) {
      writeFileSync(fileOf(chapter), rewritten(text, code));
      continue;
    }
    console.error(`${chapter}: ${fences(text).length} fences for ${code.length} regions`);
    process.exitCode = 1;
  }
}
