/**
 * The deprecated functions `tool`, `prompt` and `resource`, whose parameters are optional. Owns:
 * telling which were passed. Must not know: what is done with them.
 */
import type { ToolConfig } from '../common/mcp/tools';
import type { PromptConfig } from '../common/mcp/prompts';
import { isJsonSchema, isRawShape } from '../protocol/zod/kinds';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Reads `[description], [schema], [annotations], callback`. */
export function readToolArguments(name: string, given: unknown[]): { config: ToolConfig; callback: unknown } {
  const rest = [...given];
  const config: ToolConfig = { execution: { taskSupport: 'forbidden' } };
  if (typeof rest[0] === 'string') config.description = rest.shift() as string;
  if (rest.length > 1) {
    const first = rest[0];
    if (isRawShape(first) || isJsonSchema(first)) {
      config.inputSchema = rest.shift();
      if (rest.length > 1 && isObject(rest[0]) && !isRawShape(rest[0])) config.annotations = rest.shift() as object;
    } else if (isObject(first)) {
      // Annotations have only simple values; an object with others is a schema.
      if (Object.values(first).some(isObject)) {
        throw new Error(`Tool ${name} expected a Zod schema or ToolAnnotations, but received an unrecognized object`);
      }
      config.annotations = rest.shift() as object;
    }
  }
  return { config, callback: rest[0] };
}

/** Reads `[description], [schema], callback`. */
export function readPromptArguments(given: unknown[]): { config: PromptConfig; callback: unknown } {
  const rest = [...given];
  const config: PromptConfig = {};
  if (typeof rest[0] === 'string') config.description = rest.shift() as string;
  if (rest.length > 1) config.argsSchema = rest.shift();
  return { config, callback: rest[0] };
}
