// The folder of notes-server.mjs: names in, text out, and no way past its edge.

import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Longest name and longest note, in bytes. */
const MAX_NAME = 100;
const MAX_NOTE = 1 << 20;
/** Letters, digits and a few signs; no dot in front, no dot or blank at the end. */
const NAME = /^[\p{L}\p{N}_-](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}_-])?$/u;

const missing = (name) => new Error(`there is no note '${name}'`);

export class Folder {
  /** Uses a folder; it is made if it is not there. */
  constructor(path) {
    mkdirSync(path, { recursive: true });
    this.path = realpathSync(path);
  }

  /** Names of all notes, sorted. */
  names() {
    const files = readdirSync(this.path, { withFileTypes: true }).filter((entry) => entry.isFile() && NAME.test(entry.name));
    return files.map((entry) => entry.name).sort();
  }

  /** Whether a note of this name is there. */
  has(name) {
    return lstatSync(this.#file(name), { throwIfNoEntry: false }) !== undefined;
  }

  /** The text of a note. */
  async read(name) {
    const file = this.#file(name);
    return readFile(file, 'utf8').catch((error) => {
      throw error.code === 'ENOENT' ? missing(name) : error;
    });
  }

  /** Writes a note; whether it is new. */
  async write(name, text) {
    if (Buffer.byteLength(text) > MAX_NOTE) throw new Error(`a note has at most ${MAX_NOTE} bytes`);
    const isNew = !this.has(name);
    await writeFile(this.#file(name), text);
    return isNew;
  }

  /** Fails if the note is not there. */
  expect(name) {
    if (!this.has(name)) throw missing(name);
  }

  async delete(name) {
    await unlink(this.#file(name));
  }

  /** The file of a note: one of the folder itself, and no link out of it. Fails for names
   *  that lead, or might lead, somewhere else. */
  #file(name) {
    const file = join(this.path, name);
    const plain = NAME.test(name) && Buffer.byteLength(name) <= MAX_NAME;
    const found = plain ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (!plain || (found && !found.isFile())) throw new Error(`'${name}' is outside the folder or not a name of a note`);
    return file;
  }
}
