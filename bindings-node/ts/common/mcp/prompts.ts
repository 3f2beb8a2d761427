/**
 * The prompts of a high-level server. Owns: their table and list, getting one, completing
 * arguments. Must not know: transports, the engine.
 */
import { getCompleter, isCompletable } from './completable';
import { getSchemaDescription, isSchemaOptional } from '../../protocol/zod/compat';
import type { CompleteRequest, CompleteResult, GetPromptRequest, GetPromptResult, Icon } from '../../protocol/types';
import { completed, NOTHING_TO_COMPLETE } from './complete';
import type { Face } from './face';
import { ErrorCode } from '../../protocol/mcp-error';
import { alreadyRegistered, assign, chain, find, move, put, records, watched, type Change, type Soon } from './records';
import type { PromptCallback, RegisteredPrompt } from './types';
import { inputSchemaOf, parse, schemaFrom } from './schemas';
import { isZod3, isZod4, shapeOf } from '../../protocol/zod/kinds';
import { ShapeSchema } from '../../protocol/zod/shape';

/** The definition of a prompt. */
export interface PromptConfig {
  title?: string | undefined;
  description?: string | undefined;
  argsSchema?: unknown;
  icons?: Icon[] | undefined;
  _meta?: Record<string, unknown> | undefined;
}

type Handler = (...parts: unknown[]) => Soon<GetPromptResult>;
type SchemaOfPrompt = RegisteredPrompt['argsSchema'];

/** The arguments of a prompt in the form of `prompts/list`: in 1.x as zod describes them, in 2.x (`modern`) as JSON Schema does. */
function listedArguments(schema: object, modern: boolean): object[] {
  if (!modern && (isZod4(schema) || isZod3(schema) || schema instanceof ShapeSchema)) {
    return Object.entries(shapeOf(schema) ?? {}).map(([name, field]) => ({
      name,
      description: getSchemaDescription(field as never),
      required: !isSchemaOptional(field as never),
    }));
  }
  const { properties = {}, required = [] } = inputSchemaOf(schema, modern) as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description }]) => ({
    name,
    description,
    required: required.includes(name),
  }));
}

/** The inner part of an argument's schema that `completable` may have marked. */
function marked(field: unknown): object | undefined {
  let inner = field as { _def?: { innerType?: unknown }; _zod?: { def?: { innerType?: unknown } } } | undefined;
  while (inner && !isCompletable(inner)) {
    inner = (inner._zod?.def?.innerType ?? inner._def?.innerType) as typeof inner;
  }
  return inner;
}

/** The prompts of one server. */
export class Prompts {
  readonly table: Record<string, RegisteredPrompt>;

  constructor(
    private readonly changed: Change,
    private readonly told: Change,
    private readonly face: Face,
  ) {
    this.table = records<RegisteredPrompt>(() => changed('prompts'));
  }

  /** Throws if a name is already registered. */
  checkFree(name: string): void {
    if (find(this.table, name)) throw alreadyRegistered('Prompt', name);
  }

  /** Adds a prompt. */
  add(name: string, { title, description, argsSchema, icons, _meta }: PromptConfig, callback: unknown): RegisteredPrompt {
    const prompt: RegisteredPrompt = watched<RegisteredPrompt>(
      {
        title,
        description,
        argsSchema: schemaFrom(argsSchema) as SchemaOfPrompt,
        icons,
        _meta,
        callback: callback as RegisteredPrompt['callback'],
        enabled: true,
        disable: () => prompt.update({ enabled: false }),
        enable: () => prompt.update({ enabled: true }),
        remove: () => prompt.update({ name: null }),
        update: ({ name: to, argsSchema: schema, callback: code, ...rest }) => {
          move(this.table, name, to, prompt);
          assign(prompt, {
            ...rest,
            argsSchema: schemaFrom(schema) as SchemaOfPrompt,
            callback: code as PromptCallback<undefined> | undefined,
          } as Partial<RegisteredPrompt>);
          this.told('prompts');
        },
      },
      () => this.changed('prompts'),
    );
    put(this.table, name, prompt);
    return prompt;
  }

  /** Whether an argument of a prompt can be completed. */
  completes(prompt: RegisteredPrompt): boolean {
    return Object.values(shapeOf(prompt.argsSchema) ?? {}).some((field) => marked(field) !== undefined);
  }

  /** The prompts in the form of `prompts/list`. */
  list(): object[] {
    return Object.entries(this.table)
      .filter(([, prompt]) => prompt.enabled)
      .map(([name, { title, description, argsSchema, icons, _meta }]) => ({
        name,
        title,
        description,
        arguments: argsSchema ? listedArguments(argsSchema, this.face.modern) : undefined,
        icons,
        _meta,
      }));
  }

  private enabled(name: string): RegisteredPrompt {
    const prompt = find(this.table, name);
    if (prompt === undefined) throw this.face.fault(ErrorCode.InvalidParams, `Prompt ${name} not found`);
    if (!prompt.enabled) throw this.face.fault(ErrorCode.InvalidParams, `Prompt ${name} disabled`);
    return prompt;
  }

  /** Answers `prompts/get`. */
  get({ params }: GetPromptRequest, extra: object): Soon<GetPromptResult> {
    const prompt = this.enabled(params.name);
    const code = prompt.callback as Handler;
    if (!prompt.argsSchema) return code(extra);
    return chain(parse(prompt.argsSchema, params.arguments ?? {}), (parsed) => {
      if (parsed.success) return code(parsed.data, extra);
      const text = `Invalid arguments for prompt ${params.name}: ${this.face.explain(parsed)}`;
      throw this.face.fault(ErrorCode.InvalidParams, text);
    });
  }

  /** Answers `completion/complete` for an argument. */
  async complete(name: string, { argument, context }: CompleteRequest['params']): Promise<CompleteResult> {
    const prompt = this.enabled(name);
    const field = marked(shapeOf(prompt.argsSchema)?.[argument.name]);
    const completer = field && getCompleter(field as never);
    return completer ? completed(await completer(argument.value as never, context)) : NOTHING_TO_COMPLETE;
  }
}
