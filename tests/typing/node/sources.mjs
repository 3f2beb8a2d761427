// What is asked of the sources themselves: every exported item, and every public member
// of it, says what it is for; no function is longer than sixty lines, no line than 150
// characters, unless one word is.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { binding, require, root } from './places.mjs';

const ts = require('typescript5');
const FUNCTION_LINES = 60;
const LINE_CHARACTERS = 150;
const WORD_CHARACTERS = 100;
const folder = join(binding, 'ts');

function files(at = folder) {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory()) return files(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

function parsed(path) {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
}

function at(source, node) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${relative(root, source.fileName)}:${line + 1}`;
}

function isExported(node) {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;
}

function isPrivate(member) {
  const flags = ts.getCombinedModifierFlags(member);
  const named = member.name !== undefined && (ts.isPrivateIdentifier(member.name) || member.name.getText().startsWith('_'));
  return named || (flags & ts.ModifierFlags.Private) !== 0 || ts.getJSDocTags(member).some((tag) => tag.tagName.text === 'internal');
}

function hasDoc(node) {
  const own = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return ts.getJSDocCommentsAndTags(own).some((part) => ts.isJSDoc(part) && part.comment !== undefined);
}

/** Members that need words of their own: what a name says alone in a data type needs none. */
function members(node) {
  if (ts.isClassDeclaration(node)) {
    return node.members.filter((member) => {
      const overrides = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Override) !== 0;
      return ts.isMethodDeclaration(member) && !overrides && !isPrivate(member);
    });
  }
  return [];
}

/** Overloads of one name share the words of the first. */
function undocumented(source, path) {
  const found = [];
  const seen = new Set();
  const look = (node, name, owner = '') => {
    const key = `${owner}${name}`;
    if (hasDoc(node)) seen.add(key);
    else if (!seen.has(key)) found.push(`${at(source, node)}: ${key} has no documentation`);
    seen.add(key);
  };
  for (const statement of source.statements.filter(isExported)) {
    const names = ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [statement];
    for (const node of names) {
      const name = node.name?.getText(source) ?? 'default';
      look(node, name);
      for (const member of members(node)) look(member, member.name.getText(source), `${name}.`);
    }
  }
  return found;
}

/** Every exported item that programs can have has a sentence on what it is. */
export function documented() {
  const open = files().filter((path) => !/\/(engine|internal|generated)\//.test(path));
  const faults = open.flatMap((path) => undocumented(parsed(path), path));
  return { note: `${open.length} files`, faults };
}

function longFunctions(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const line = (position) => source.getLineAndCharacterOfPosition(position).line;
      const lines = line(node.getEnd()) - line(node.getStart(source)) + 1;
      const name = node.name?.getText(source) ?? 'a function';
      if (lines > FUNCTION_LINES) found.push(`${at(source, node)}: ${name} has ${lines} lines, the limit is ${FUNCTION_LINES}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** No function, also of what is private, is longer than sixty lines. */
export function shortFunctions() {
  const all = files().filter((path) => !path.includes('/generated/'));
  return { note: `${all.length} files`, faults: all.flatMap((path) => longFunctions(parsed(path))) };
}

function untidy(path) {
  const text = readFileSync(path, 'utf8');
  const place = (index) => `${relative(root, path)}:${index + 1}`;
  const found = text.split('\n').flatMap((line, index) => {
    if (/\t| $|\r/.test(line)) return [`${place(index)}: a tab, a blank at the end, or a return`];
    const isWord = line.split(/\s/).some((word) => word.length > WORD_CHARACTERS);
    return line.length > LINE_CHARACTERS && !isWord ? [`${place(index)}: ${line.length} characters, the limit is ${LINE_CHARACTERS}`] : [];
  });
  return text.endsWith('\n') ? found : [...found, `${place(0)}: no line end at the end`];
}

/** Lines have a length, and nothing invisible in them. */
export function tidy() {
  const all = files().filter((path) => !path.includes('/generated/'));
  return { note: `${all.length} files`, faults: all.flatMap(untidy) };
}
