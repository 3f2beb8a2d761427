/**
 * The rules of skills, which the engine knows. Owns: asking it. Must not know: files, servers,
 * clients.
 */
import { native } from '../../engine/native';
import type { DirectoryResource, Skill } from './skill-schemas';

/** A `SKILL.md`, read. */
export interface SkillText {
  frontmatter: Record<string, unknown>;
  body: string;
}

/** A served file: where it is, and what its entry says. */
export interface ServedFile {
  uri: string;
  path: string;
  digest: string;
  size: number;
  mimeType: string;
}

/** What was found in a folder. */
export interface Found {
  prefix: string[];
  files: { path: string; digest: string; size: number }[];
  folders: string[];
  other: string[];
  /** The text of each `SKILL.md` by its path. */
  manifests: Record<string, string>;
  /** Without a bound: `null`. */
  max_files: number | null;
  max_bytes: number | null;
}

/** The skills in what was found. */
export interface Catalog {
  skills: Skill[];
  files: ServedFile[];
  folders: Record<string, DirectoryResource[]>;
  listed: DirectoryResource[];
  problems: { path: string; message: string }[];
}

/** Why bytes must not be used. */
export interface Mismatch {
  reason: 'unlisted' | 'size' | 'digest' | 'frontmatter';
  message: string;
  differences: string[];
}

function decide<T>(name: string, given: object): T {
  return JSON.parse(native.skillDecision(name, JSON.stringify(given))) as T;
}

/** Reads a `SKILL.md`; an `Error` says why that is not possible. */
export function skillText(text: string): SkillText | Error {
  const read = decide<SkillText & { why?: string }>('text', { text });
  return read.why === undefined ? read : new Error(read.why);
}

/** What is wrong with an entry; nothing if it is good. */
export const entryProblems = (skill: unknown): string[] => decide('problems', { skill });

/** The file that a reference in a skill means, as the entry spells it. */
export const resolveFile = (skill: Skill, reference: string): { uri: string; manifest: boolean } | null =>
  decide('resolve', { skill, reference });

/** What a host keeps of a user's consent to an entry; `null` for a dynamic skill. */
export const approvalOf = <T>(server: string, skill: Skill): T | null => decide('approval', { server, skill });

/** Whether what was kept is the consent to this entry. */
export const approvalCovers = (server: string, skill: Skill, approval: unknown): boolean => decide('covers', { server, skill, approval });

/** The digest of a file. */
export const digestOf = (bytes: Uint8Array): string => native.skillDigest(bytes);

/** Compares bytes with the entry; the `SKILL.md` comes back read. */
export const verifyFile = (skill: Skill, uri: string, bytes: Uint8Array): { manifest: SkillText | null } | Mismatch =>
  JSON.parse(native.verifySkill(JSON.stringify(skill), uri, bytes)) as { manifest: SkillText | null } | Mismatch;

/** The skills among files. */
export const catalogOf = (found: Found): Catalog => decide('catalog', found);

/** A URI in the spelling that all readers agree on; `undefined` if it is none. */
export function canonicalUri(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).href : undefined;
}
