/**
 * Results of tools, checked against the output schemas they were listed with. Owns: the schemas,
 * compiled on first use. Must not know: requests.
 */
import type { CallToolResult, Tool, ToolAnnotations } from '../../protocol/types';
import type { jsonSchemaValidator, JsonSchemaType, JsonSchemaValidator } from '../../protocol/validation';
import { ErrorCode, McpError } from '../../protocol/mcp-error';
import { Validator } from '../../engine/validator';

type Check = JsonSchemaValidator<unknown>;

/** Dialects of JSON Schema itself. */
const DIALECT = /^https?:\/\/json-schema\.org\//;

/** Where faces differ. */
export interface ResultRules {
  /** Whether an output schema is compiled when its tool is called, in the dialect it names, and not when it is listed. */
  readonly compilesLate: boolean;
  /** Whether the structured content of a call that failed is checked, too. */
  readonly checksFailedCalls: boolean;
}

/** What is remembered of a tool. Its output schema need not be one of objects. */
export type ListedTool = Pick<Tool, 'name' | 'annotations' | 'execution'> & { outputSchema?: object | undefined };

/** What a client remembers about the tools of one server. */
export class ToolResults {
  readonly #validator: jsonSchemaValidator | undefined;
  readonly #checks = new Map<string, Check>();
  /** Schemas that are compiled when their tool is called. */
  readonly #schemas = new Map<string, JsonSchemaType>();
  readonly #needTask = new Set<string>();
  readonly #mayBeTask = new Set<string>();
  readonly #annotations = new Map<string, ToolAnnotations>();

  /** Creates an empty memory; `validator` is the program's own. */
  constructor(
    validator: jsonSchemaValidator | undefined,
    private readonly rules: ResultRules,
  ) {
    this.#validator = validator;
  }

  /** A memory of one tool alone. */
  ofOne(name: string, tool: ListedTool): ToolResults {
    const results = new ToolResults(this.#validator, this.rules);
    results.learn([{ ...tool, name }]);
    return results;
  }

  /** Remembers the schemas of a page of tools; those of earlier pages are dropped. */
  learn(tools: readonly ListedTool[]): void {
    this.#checks.clear();
    this.#schemas.clear();
    this.#needTask.clear();
    this.#mayBeTask.clear();
    for (const tool of tools) {
      if (tool.annotations) this.#annotations.set(tool.name, tool.annotations);
      const { outputSchema, execution } = tool;
      if (outputSchema && this.rules.compilesLate) this.#schemas.set(tool.name, outputSchema as JsonSchemaType);
      else if (outputSchema) this.#checks.set(tool.name, this.checkOf(outputSchema as JsonSchemaType));
      const support = execution?.taskSupport;
      if (support === 'required') this.#needTask.add(tool.name);
      if (support === 'required' || support === 'optional') this.#mayBeTask.add(tool.name);
    }
  }

  private checkOf(schema: JsonSchemaType): Check {
    const validator = this.#validator;
    if (validator === undefined) return lazily(schema, this.rules.compilesLate);
    return validator.getValidator(schema);
  }

  /** The server's annotations of a tool, from any page. */
  annotations(name: string): ToolAnnotations | undefined {
    return this.#annotations.get(name);
  }

  /** Whether calls of a tool may run as tasks. */
  mayBeTask(name: string): boolean {
    return this.#mayBeTask.has(name);
  }

  /** Throws if a tool can only run as a task, or was listed with a schema that cannot be compiled. */
  refuse(name: string): void {
    this.#compile(name);
    if (!this.#needTask.has(name)) return;
    const remedy = 'Use client.experimental.tasks.callToolStream() instead.';
    throw new McpError(ErrorCode.InvalidRequest, `Tool "${name}" requires task-based execution. ${remedy}`);
  }

  #compile(name: string): void {
    const schema = this.#schemas.get(name);
    if (schema === undefined) return;
    try {
      this.#checks.set(name, this.checkOf(schema));
      this.#schemas.delete(name);
    } catch (error) {
      throw unusable(name, error);
    }
  }

  /** Throws if a result does not match the tool's output schema. */
  check(name: string, { structuredContent, isError }: CallToolResult): void {
    const check = this.#checks.get(name);
    if (check === undefined) return;
    if (isError && (structuredContent === undefined || !this.rules.checksFailedCalls)) return;
    if (structuredContent === undefined) {
      const text = `Tool ${name} has an output schema but did not return structured content`;
      throw new McpError(ErrorCode.InvalidRequest, text);
    }
    let fault: string | undefined;
    try {
      const verdict = check(structuredContent);
      if (verdict.valid) return;
      fault = verdict.errorMessage;
    } catch (error) {
      if (error instanceof McpError) throw error;
      if (error instanceof Uncompiled && this.rules.compilesLate) throw unusable(name, error.cause);
      const words = error instanceof Error ? error.message : String(error);
      throw new McpError(ErrorCode.InvalidParams, `Failed to validate structured content: ${words}`);
    }
    throw new McpError(ErrorCode.InvalidParams, `Structured content does not match the tool's output schema: ${fault}`);
  }
}

/** The error of a call whose tool was listed with a schema that cannot be compiled. */
function unusable(name: string, error: unknown): McpError {
  const words = error instanceof Error ? error.message : String(error);
  return new McpError(ErrorCode.InvalidParams, `Tool '${name}' has an invalid outputSchema: ${words}`);
}

/** A schema that could not be compiled. */
class Uncompiled extends Error {}

function compiledLate(schema: JsonSchemaType): Validator {
  try {
    return new Validator(schema);
  } catch (cause) {
    throw new Uncompiled(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Compiles a schema with the engine on first use; where 1.x does not look at its dialect, in the newest that accepts it. */
function lazily({ $schema, ...schema }: JsonSchemaType, heedsDialect: boolean): Check {
  const named = $schema !== undefined && (heedsDialect || DIALECT.test($schema));
  let compiled: Validator | undefined;
  return (value) => {
    const errorMessage = (compiled ??= compiledLate(named ? { $schema, ...schema } : schema)).explain(value);
    if (errorMessage === undefined) return { valid: true, data: value, errorMessage };
    return { valid: false, data: undefined, errorMessage };
  };
}
