/**
 * The old functions `tool`, `prompt` and `resource`, whose parameters may be left out.
 * Owns: telling what was given. Must not know: what is done with it.
 */
import type { ToolConfig } from './mcp-tools';
import type { PromptConfig } from './mcp-prompts';
import { isJsonSchema, isRawShape } from './zod-kinds';

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
      // Annotations are plain values; whatever has more in it was meant as a schema.
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
