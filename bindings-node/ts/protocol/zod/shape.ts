/**
 * Raw shapes as schemas. Owns: an object schema over members that a program's zod made, without
 * importing that zod: it parses member by member, and looks like an object of the same release.
 * Must not know: how it is listed.
 *
 * Like zod's objects it drops unknown members, and its issues have paths.
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
} from './kinds';

const NOT_OPTIONAL = 'Invalid input: expected nonoptional, received undefined';

const issuesOf = (error: unknown): readonly Issue[] => {
  const issues = (error as { issues?: readonly Issue[] } | null)?.issues;
  return issues ?? [{ message: String((error as Error)?.message ?? error) }];
};

const done = (payload: Payload): Parsed | undefined =>
  payload.issues.length === 0 ? { success: true, data: payload.value } : undefined;

/** Parses with the schema's own method; returns a promise only if the schema is async or the value is not valid. */
function parse4(schema: Zod4, value: unknown): Parsed | Promise<Parsed> {
  // Only the schema's own release has the right messages for its issues.
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
 * Parses a value with any schema: synchronously if the schema allows it, as refinements and
 * transforms may be async.
 */
export function parseSoon(schema: object, value: unknown): Parsed | Promise<Parsed> {
  if (schema instanceof ShapeSchema) return schema.parseSoon(value);
  if (isZod4(schema)) return parse4(schema, value);
  const own = (schema as Partial<Zod3>).safeParseAsync;
  return typeof own === 'function' ? own.call(schema, value) : parseStandard(schema, value);
}

/** Same as `parseSoon`, but always synchronous; throws if the schema cannot do that. */
export function parseWith(schema: object, value: unknown): Parsed {
  const own = (schema as Partial<Zod3>).safeParse;
  if (typeof own === 'function') return own.call(schema, value);
  const result = standardOf(schema)!.validate(value);
  if (result instanceof Promise) throw new Error('the schema is async: use safeParseAsync');
  return outcomeOf(result);
}

/** The outcome for a member: left out, a value, or issues. */
type Outcome = typeof SKIP | { readonly value: unknown } | { readonly issues: readonly Issue[] };

const SKIP: unique symbol = Symbol('left out');

/** The outcome for a member as zod 4 objects decide it. */
function judge4(schema: Zod4, present: boolean, parsed: Parsed): Outcome {
  if (present) return parsed.success ? { value: parsed.data } : { issues: issuesOf(parsed.error) };
  const { optin, optout, version } = schema._zod;
  const minor = version?.minor ?? 6;
  if (minor >= 5 && optout === 'optional' && optin === 'optional') return SKIP;
  if (!parsed.success) return optin !== undefined && optout === 'optional' ? SKIP : { issues: issuesOf(parsed.error) };
  if (optin === undefined && minor >= 4) {
    return { issues: [{ code: 'invalid_type', expected: 'nonoptional', message: NOT_OPTIONAL }] };
  }
  const keep = parsed.data !== undefined || (minor >= 6 && optin === 'defaulted' && optout !== 'optional');
  return keep ? { value: parsed.data } : SKIP;
}

function judge(schema: object, present: boolean, parsed: Parsed): Outcome {
  if (isZod4(schema)) return judge4(schema, present, parsed);
  if (!parsed.success) return { issues: issuesOf(parsed.error) };
  return present || parsed.data !== undefined ? { value: parsed.data } : SKIP;
}

/** The library that the members of a shape come from. */
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

/** An object schema made from a raw shape. */
export class ShapeSchema {
  /** The member schemas. */
  readonly shape: Record<string, unknown>;
  readonly #make: Make;
  readonly #members: readonly (readonly [name: string, schema: object])[];
  /** As on a zod 4 object; absent if the members are of another library. */
  declare readonly _zod?: Zod4['_zod'];
  /** As on a zod 3 object; absent if the members are of another library. */
  declare readonly _def?: unknown;

  constructor(shape: Record<string, unknown>) {
    this.shape = shape;
    this.#make = makeOf(Object.values(shape));
    this.#members = (Object.entries(shape) as [string, object][]).filter(([name]) => name !== '__proto__');
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

  /** Same as `safeParseAsync`, but returns no promise if no member needs one. */
  parseSoon(value: unknown): Parsed | Promise<Parsed> {
    const wrong = this.wrongKind(value);
    if (wrong !== undefined) return wrong;
    const input = value as Json;
    let waits = false;
    const parsed = this.#members.map(([name, schema]) => {
      const found = this.#make === 'zod4' ? parse4(schema as Zod4, input[name]) : parseSoon(schema, input[name]);
      waits ||= found instanceof Promise;
      return found;
    });
    return waits ? Promise.all(parsed).then((all) => this.collect(input, all)) : this.collect(input, parsed as Parsed[]);
  }

  /** Same as `safeParseAsync`, but synchronous. */
  safeParse(value: unknown): Parsed {
    const wrong = this.wrongKind(value);
    if (wrong !== undefined) return wrong;
    const input = value as Json;
    return this.collect(input, this.#members.map(([name, schema]) => parseWith(schema, input[name])));
  }

  /** Same as `safeParseAsync`, but throws the error. */
  async parseAsync(value: unknown): Promise<unknown> {
    const parsed = await this.safeParseAsync(value);
    if (!parsed.success) throw parsed.error;
    return parsed.data;
  }

  /** Same as `safeParse`, but throws the error. */
  parse(value: unknown): unknown {
    const parsed = this.safeParse(value);
    if (!parsed.success) throw parsed.error;
    return parsed.data;
  }

  /** The members that Standard Schema defines. */
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

  private wrongKind(value: unknown): Parsed | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
    const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const text = `xpected object, received ${received}`;
    const three = value === undefined ? 'Required' : `E${text}`;
    const message = this.#make === 'zod3' ? three : `Invalid input: e${text}`;
    return failure([{ code: 'invalid_type', expected: 'object', path: [], message }]);
  }

  private collect(input: Json, parsed: Parsed[]): Parsed {
    const data: Json = {};
    const issues: Issue[] = [];
    this.#members.forEach(([name, schema], at) => {
      const outcome = judge(schema, name in input, parsed[at]!);
      if (outcome === SKIP) return;
      if ('value' in outcome) data[name] = outcome.value;
      else for (const issue of outcome.issues) issues.push({ ...issue, message: issue.message, path: [name, ...(issue.path ?? [])] });
    });
    return issues.length > 0 ? failure(issues) : { success: true, data };
  }
}

/** A failed parse whose error looks like zod's. */
function failure(issues: Issue[]): Parsed {
  const error = new Error(JSON.stringify(issues, null, 2));
  error.name = 'ZodError';
  return { success: false, error: Object.assign(error, { issues }) };
}
