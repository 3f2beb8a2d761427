/**
 * Raw shapes as schemas. Owns: an object schema over members that somebody's zod made,
 * without that zod: it parses member by member, and reads like an object of the same
 * release. Must not know: how it is listed.
 *
 * Like zod's objects it keeps only members it knows, and says where an issue is.
 */
import {
  isZod4,
  standardOf,
  type Issue,
  type Json,
  type Parsed,
  type Payload,
  type StandardPart,
  type StandardResult,
  type Zod3,
  type Zod4,
} from './zod-kinds';

/** What one member came to. */
interface Outcome {
  name: string;
  value?: unknown;
  issues: readonly Issue[];
  /** Whether the member is left out of the result. */
  skip?: boolean;
}

const NOT_OPTIONAL = 'Invalid input: expected nonoptional, received undefined';

const issuesOf = (error: unknown): readonly Issue[] => {
  const issues = (error as { issues?: readonly Issue[] } | null)?.issues;
  return issues ?? [{ message: String((error as Error)?.message ?? error) }];
};

const done = (payload: Payload): Parsed | undefined =>
  payload.issues.length === 0 ? { success: true, data: payload.value } : undefined;

/** Parses with the schema's own method; a promise only if the schema is async or refuses. */
function parse4(schema: Zod4, value: unknown): Parsed | Promise<Parsed> {
  // Only the schema's own release has the words for its issues.
  const inWords = (): Promise<Parsed> => schema.safeParseAsync?.(value) ?? parseStandard(schema, value);
  const begun = schema._zod.run?.({ value, issues: [] }, { async: true });
  if (begun instanceof Promise) return begun.then((payload) => done(payload) ?? inWords());
  return (begun && done(begun)) ?? inWords();
}

const outcomeOf = (result: StandardResult): Parsed =>
  result.issues === undefined
    ? { success: true, data: result.value }
    : { success: false, error: { issues: result.issues } };

/** Parses with the `validate` of a Standard Schema. */
async function parseStandard(schema: unknown, value: unknown): Promise<Parsed> {
  return outcomeOf(await standardOf(schema)!.validate(value));
}

/**
 * Parses a value with any schema that can: at once where the schema allows it; refinements
 * and transforms may be async.
 */
export function parseSoon(schema: object, value: unknown): Parsed | Promise<Parsed> {
  if (schema instanceof ShapeSchema) return schema.parseSoon(value);
  if (isZod4(schema)) return parse4(schema, value);
  const own = (schema as Partial<Zod3>).safeParseAsync;
  return typeof own === 'function' ? own.call(schema, value) : parseStandard(schema, value);
}

/** As `parseSoon`, at once; throws if the schema cannot. */
export function parseWith(schema: object, value: unknown): Parsed {
  const own = (schema as Partial<Zod3>).safeParse;
  if (typeof own === 'function') return own.call(schema, value);
  const result = standardOf(schema)!.validate(value);
  if (result instanceof Promise) throw new Error('the schema is async: use safeParseAsync');
  return outcomeOf(result);
}

/** What zod 4 makes of a member's value in an object. */
function judge4(schema: Zod4, name: string, present: boolean, parsed: Parsed): Outcome {
  const { optin, optout, version } = schema._zod;
  const minor = version?.minor ?? 6;
  if (!present && minor >= 5 && optout === 'optional' && optin === 'optional') return { name, issues: [], skip: true };
  if (!parsed.success) {
    const mayMiss = !present && optin !== undefined && optout === 'optional';
    return { name, issues: mayMiss ? [] : issuesOf(parsed.error), skip: true };
  }
  if (!present && optin === undefined && minor >= 4) {
    return { name, issues: [{ code: 'invalid_type', expected: 'nonoptional', message: NOT_OPTIONAL }], skip: true };
  }
  const keep = present || parsed.data !== undefined || (minor >= 6 && optin === 'defaulted' && optout !== 'optional');
  return { name, value: parsed.data, issues: [], skip: !keep };
}

function judge(schema: unknown, name: string, present: boolean, parsed: Parsed): Outcome {
  if (isZod4(schema)) return judge4(schema, name, present, parsed);
  if (!parsed.success) return { name, issues: issuesOf(parsed.error), skip: true };
  return { name, value: parsed.data, issues: [], skip: parsed.data === undefined && !present };
}

/** How the members of a shape are made. */
type Make = 'zod4' | 'zod3' | 'standard';

function makeOf(members: unknown[]): Make {
  const fours = members.filter(isZod4).length;
  if (fours === members.length) return 'zod4';
  const others = members.filter((member) => !isZod4(member));
  const standard = others.every((member) => standardOf(member) !== undefined && !('_def' in Object(member)));
  if (standard) return 'standard';
  if (fours > 0) throw new Error('Mixed Zod versions detected in object shape.');
  return 'zod3';
}

/** An object schema made of a raw shape. */
export class ShapeSchema {
  /** The members. */
  readonly shape: Record<string, unknown>;
  readonly #make: Make;
  /** As on an object of zod 4; absent if the members are none of its. */
  declare readonly _zod?: Zod4['_zod'];
  /** As on an object of zod 3; absent if the members are none of its. */
  declare readonly _def?: unknown;

  constructor(shape: Record<string, unknown>) {
    this.shape = shape;
    this.#make = makeOf(Object.values(shape));
    const kept = { ...shape };
    if (this.#make === 'zod4') {
      const version = (Object.values(kept)[0] as Zod4 | undefined)?._zod.version;
      const def = { type: 'object', shape: kept as Record<string, Zod4> };
      Object.assign(this, { _zod: { def, version, bag: {}, traits: new Set(['$ZodType', '$ZodObject']) } });
    } else if (this.#make === 'zod3') {
      const never = { _def: { typeName: 'ZodNever' } };
      const def = { typeName: 'ZodObject', shape: () => kept, unknownKeys: 'strip', catchall: never };
      Object.assign(this, { _def: def });
    }
  }

  /** Parses a value; refinements and transforms may be async. */
  async safeParseAsync(value: unknown): Promise<Parsed> {
    return this.parseSoon(value);
  }

  /** As `safeParseAsync`; without a promise if no member needs one. */
  parseSoon(value: unknown): Parsed | Promise<Parsed> {
    const wrong = this.wrongKind(value);
    if (wrong !== undefined) return wrong;
    const input = value as Json;
    const names = this.names();
    const parsed = names.map((name) => parseSoon(this.shape[name] as object, input[name]));
    const collect = (all: Parsed[]): Parsed =>
      this.collect(names.map((name, at) => judge(this.shape[name], name, name in input, all[at]!)));
    return parsed.some((one) => one instanceof Promise) ? Promise.all(parsed).then(collect) : collect(parsed as Parsed[]);
  }

  /** As `safeParseAsync`, at once. */
  safeParse(value: unknown): Parsed {
    const wrong = this.wrongKind(value);
    if (wrong !== undefined) return wrong;
    const input = value as Json;
    return this.collect(
      this.names().map((name) => {
        const schema = this.shape[name] as object;
        return judge(schema, name, name in input, parseWith(schema, input[name]));
      }),
    );
  }

  /** As `safeParseAsync`; throws the failure. */
  async parseAsync(value: unknown): Promise<unknown> {
    const parsed = await this.safeParseAsync(value);
    if (!parsed.success) throw parsed.error;
    return parsed.data;
  }

  /** As `safeParse`; throws the failure. */
  parse(value: unknown): unknown {
    const parsed = this.safeParse(value);
    if (!parsed.success) throw parsed.error;
    return parsed.data;
  }

  /** What Standard Schema asks for. */
  get ['~standard'](): StandardPart {
    return {
      version: 1,
      vendor: 'mcpbolt',
      validate: async (value) => {
        const parsed = await this.safeParseAsync(value);
        return parsed.success ? { value: parsed.data } : { issues: issuesOf(parsed.error) };
      },
    };
  }

  private names(): string[] {
    return Object.keys(this.shape).filter((name) => name !== '__proto__');
  }

  private wrongKind(value: unknown): Parsed | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
    const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const text = `xpected object, received ${received}`;
    const message = this.#make === 'zod3' ? `E${text}` : `Invalid input: e${text}`;
    return failure([{ code: 'invalid_type', expected: 'object', path: [], message }]);
  }

  private collect(outcomes: Outcome[]): Parsed {
    const issues = outcomes.flatMap(({ name, issues: found }) =>
      found.map((issue) => ({ ...issue, message: issue.message, path: [name, ...(issue.path ?? [])] })),
    );
    if (issues.length > 0) return failure(issues);
    const kept = outcomes.filter((outcome) => !outcome.skip);
    return { success: true, data: Object.fromEntries(kept.map((outcome) => [outcome.name, outcome.value])) };
  }
}

/** A failed parse whose error reads like zod's. */
function failure(issues: Issue[]): Parsed {
  const error = new Error(JSON.stringify(issues, null, 2));
  error.name = 'ZodError';
  return { success: false, error: Object.assign(error, { issues }) };
}
