/**
 * The messages of the skills extension. Owns: their types and schemas. Must not know: which entries
 * are good; the engine decides that.
 */
import type * as t from '../../protocol/types';
import { PaginatedRequestParamsSchema } from '../../generated/v1';
import { inlineSchema, type AnySpecSchema } from '../../protocol/schema/schema';

/** A file of a skill, with what a host needs to verify it. */
export interface SkillResourceEntry {
  /** The URI of the file. */
  uri: string;
  /** `sha256:` and 64 hexadecimal digits, over the file's bytes. */
  digest: string;
  /** The number of bytes. */
  size: number;
  [member: string]: unknown;
}

/** The frontmatter of a `SKILL.md`, as its author wrote it. */
export interface SkillFrontmatter {
  /** The name: a label, not an identifier. */
  name: string;
  /** What the skill is for. */
  description: string;
  [field: string]: unknown;
}

/** All files of a skill, or `"dynamic"` if they are made when they are asked for. */
export type SkillResources = SkillResourceEntry[] | 'dynamic';

/** A skill, as `skills/list` and `skills/get` describe it. */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  uri: string;
  /** The frontmatter of its `SKILL.md`. */
  frontmatter: SkillFrontmatter;
  /** Its files. */
  resources: SkillResources;
  /** Metadata. */
  _meta?: Record<string, unknown> | undefined;
  [member: string]: unknown;
}

/** Who may keep a result. */
export type SkillCacheScope = 'public' | 'private';

interface Kept {
  /** How long the result may be kept, in milliseconds. */
  ttlMs: number;
  /** Who may keep it. */
  cacheScope: SkillCacheScope;
}

/** The parameters of `skills/list`. */
export type ListSkillsRequestParams = t.PaginatedRequestParams;
/** The result of `skills/list`. */
export interface ListSkillsResult extends t.PaginatedResult, Kept {
  /** The skills of this page. */
  skills: Skill[];
}
/** The parameters of `skills/get`. */
export interface GetSkillRequestParams extends t.RequestParams {
  /** The URI of the skill's `SKILL.md`. */
  uri: string;
}
/** The result of `skills/get`. */
export interface GetSkillResult extends t.Result, Kept {
  /** The skill. */
  skill: Skill;
}
/** An entry of a directory. */
export type DirectoryResource = t.Resource;
/** The parameters of `resources/directory/read`. */
export interface ReadResourceDirectoryRequestParams extends t.PaginatedRequestParams {
  /** The URI of the directory. */
  uri: string;
}
/** The result of `resources/directory/read`. */
export interface ReadResourceDirectoryResult extends t.PaginatedResult, Kept {
  /** What lies directly in the directory. */
  resources: DirectoryResource[];
}

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };
const object = (properties: object, ...required: string[]): { type: 'object'; properties: never; required: string[] } => ({
  type: 'object',
  properties: properties as never,
  required,
});
const digest = { type: 'string', format: 'sha256-digest' };
const file = object({ uri: text, digest, size: whole }, 'uri', 'digest', 'size');
const frontmatter = object({ name: text, description: text }, 'name', 'description');
const resources = { anyOf: [{ type: 'array', items: file }, { const: 'dynamic' }] };
const skill = object({ uri: text, frontmatter, resources, _meta: { type: 'object' } }, 'uri', 'frontmatter', 'resources');
const scope = { type: 'string', enum: ['public', 'private'] };
const kept = { ttlMs: whole, cacheScope: scope };
const meta = { $ref: 'RequestMeta' };
const cursor = { $ref: 'Cursor' };
const list = { _meta: meta, nextCursor: cursor };

/** Schema of the digest of a file. */
export const SkillDigestSchema: AnySpecSchema<string> = inlineSchema(digest);
/** Schema of a file of a skill. */
export const SkillResourceEntrySchema: AnySpecSchema<SkillResourceEntry> = inlineSchema(file);
/** Schema of a skill's frontmatter. */
export const SkillFrontmatterSchema: AnySpecSchema<SkillFrontmatter> = inlineSchema(frontmatter);
/** Schema of the files of a skill. */
export const SkillResourcesSchema: AnySpecSchema<SkillResources> = inlineSchema(resources);
/** Schema of a skill. */
export const SkillSchema: AnySpecSchema<Skill> = inlineSchema(skill);
/** Schema of the cache scope of a result. */
export const SkillCacheScopeSchema: AnySpecSchema<SkillCacheScope> = inlineSchema(scope);
/** Schema of the parameters of `skills/list`. */
export const ListSkillsRequestParamsSchema: AnySpecSchema<ListSkillsRequestParams> = PaginatedRequestParamsSchema;
/** Schema of the result of `skills/list`. */
export const ListSkillsResultSchema: AnySpecSchema<ListSkillsResult> = inlineSchema(
  object({ ...list, ...kept, skills: { type: 'array', items: skill } }, 'skills', 'ttlMs', 'cacheScope'),
);
/** Schema of the parameters of `skills/get`. */
export const GetSkillRequestParamsSchema: AnySpecSchema<GetSkillRequestParams> = inlineSchema(object({ _meta: meta, uri: text }, 'uri'));
/** Schema of the result of `skills/get`. */
export const GetSkillResultSchema: AnySpecSchema<GetSkillResult> = inlineSchema(
  object({ _meta: meta, ...kept, skill }, 'skill', 'ttlMs', 'cacheScope'),
);
/** Schema of an entry of a directory. */
export const DirectoryResourceSchema: AnySpecSchema<DirectoryResource> = inlineSchema({ $ref: 'Resource' });
/** Schema of the parameters of `resources/directory/read`. */
export const ReadResourceDirectoryRequestParamsSchema: AnySpecSchema<ReadResourceDirectoryRequestParams> = inlineSchema(
  object({ _meta: meta, cursor, uri: text }, 'uri'),
);
/** Schema of the result of `resources/directory/read`. */
export const ReadResourceDirectoryResultSchema: AnySpecSchema<ReadResourceDirectoryResult> = inlineSchema(
  object({ ...list, ...kept, resources: { type: 'array', items: { $ref: 'Resource' } } }, 'resources', 'ttlMs', 'cacheScope'),
);

/** What a client takes of a page: entries are judged one by one, and only modern servers send cache hints. */
export function pageSchema<T>(member: string, modern: boolean): AnySpecSchema<T> {
  const hints = modern ? ['ttlMs', 'cacheScope'] : [];
  return inlineSchema(object({ ...list, ...kept, [member]: { type: 'array' } }, member, ...hints));
}

/** The same for one skill. */
export function oneSchema<T>(modern: boolean): AnySpecSchema<T> {
  return inlineSchema(object({ _meta: meta, ...kept, skill: {} }, 'skill', ...(modern ? ['ttlMs', 'cacheScope'] : [])));
}
