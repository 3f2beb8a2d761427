// Values for schemas: where a form begins, and what is wrong with what was typed.
//
// Owns: defaults and checks. Must not know: how fields look.

import { isObject, text, type Json, type JsonObject } from '../json';
import { branchOf, shape, type Branch } from './shape';

/** What a field begins with; `undefined` where it may be left out. */
export function initial(schema: Json | undefined, root: JsonObject, required: boolean, depth = 0): Json | undefined {
  const of = shape(schema, root);
  const given = of.schema.const ?? of.schema.default;
  if (given !== undefined && given !== null) return given;
  if (!required || depth > 8) return undefined;
  switch (of.kind) {
    case 'choice':
      return of.options.length === 1 ? of.options[0]?.value : undefined;
    case 'flag':
      return false;
    case 'list':
    case 'several':
      return [];
    case 'object': {
      const value: JsonObject = {};
      for (const field of of.fields) {
        const inner = initial(field.schema, root, field.required, depth + 1);
        if (inner !== undefined) value[field.name] = inner;
      }
      return value;
    }
    case 'branches':
      return initial(of.branches[0]?.schema, root, true, depth + 1);
    case 'nothing':
      return null;
    case 'json':
      return of.schema.type === 'object' ? {} : of.schema.type === 'array' ? [] : undefined;
    default:
      return undefined;
  }
}

/** What is wrong, by the path of its field. */
export function problems(value: Json | undefined, schema: Json | undefined, root: JsonObject, required = true, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  const of = shape(schema, root);
  if (value === undefined) {
    if (required) found.set(path, 'is required');
    return found;
  }
  const wrong = (why: string | false | undefined) => {
    if (why) found.set(path, why);
  };
  switch (of.kind) {
    case 'text':
      wrong(typeof value === 'string' ? textProblem(value, of.schema) : 'must be a text');
      break;
    case 'number':
      wrong(numberProblem(value, of.schema, of.whole));
      break;
    case 'list':
      if (!Array.isArray(value)) break;
      wrong(lengthProblem(value.length, of.schema, 'minItems', 'maxItems', 'entries'));
      value.forEach((one, index) => merge(found, problems(one ?? undefined, of.items, root, true, `${path}/${index}`)));
      break;
    case 'several':
      if (Array.isArray(value)) wrong(lengthProblem(value.length, of.schema, 'minItems', 'maxItems', 'choices'));
      break;
    case 'object':
      if (!isObject(value)) break;
      for (const field of of.fields) merge(found, problems(value[field.name], field.schema, root, field.required, `${path}/${field.name}`));
      break;
    case 'branches':
      return branchProblems(value, of.branches, root, path);
    default:
  }
  return found;
}

/** Those of the branch that the value is meant for. */
function branchProblems(value: Json, branches: Branch[], root: JsonObject, path: string): Map<string, string> {
  return problems(value, branches[branchOf(value, branches, root)]?.schema, root, true, path);
}

function merge(into: Map<string, string>, more: Map<string, string>): void {
  for (const [path, why] of more) into.set(path, why);
}

function textProblem(value: string, schema: JsonObject): string | undefined {
  const length = lengthProblem([...value].length, schema, 'minLength', 'maxLength', 'characters');
  if (length) return length;
  const pattern = text(schema, 'pattern');
  return pattern !== undefined && !matches(value, pattern) ? `must match ${pattern}` : undefined;
}

function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    // Not a pattern of this language: the server decides.
    return true;
  }
}

function numberProblem(value: Json, schema: JsonObject, whole: boolean): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (whole && !Number.isInteger(value)) return 'must be a whole number';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof minimum === 'number' && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `must be at most ${maximum}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `must be more than ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `must be less than ${exclusiveMaximum}`;
  return undefined;
}

function lengthProblem(length: number, schema: JsonObject, least: string, most: string, of: string): string | undefined {
  const [min, max] = [schema[least], schema[most]];
  if (typeof min === 'number' && length < min) return `must have at least ${min} ${of}`;
  if (typeof max === 'number' && length > max) return `must have at most ${max} ${of}`;
  return undefined;
}
