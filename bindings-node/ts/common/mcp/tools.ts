/**
 * The tools of a high-level server. Owns: their table and list, and a call from its arguments to
 * its result. Must not know: transports, the engine.
 *
 * A failed call gives a result with `isError`, with the official package's messages. Only two
 * failures are errors of the protocol: a required URL elicitation, and in the modern era a client
 * that lacks a needed capability.
 */
import { withoutHalves } from '../../engine/halves';
import type { ScopeRows } from '../../engine/registry';
import { liveOf } from '../../engine/server/call';
import { ErrorCode } from '../../protocol/mcp-error';
import type { Face } from './face';
import { alreadyRegistered, assign, chain, find, isPromise, move, put, records, watched, type Change, type Soon } from './records';
import { pollTask, runTask, type TaskHandler } from './tasks';
import { checkedScopes } from './scopes';
import { checkedTask, type TaskSupport } from '../tasks/support';
import type { AnyToolHandler, RegisteredTool } from './types';
import { inputSchemaOf, isEngines, outputSchemaOf, parse, schemaFrom, violated } from './schemas';
import type { Parsed } from '../../protocol/zod/kinds';
import { validateAndWarnToolName } from './tool-name';
import type { CallToolRequest, CallToolResult, Icon, ToolAnnotations, ToolExecution } from '../../protocol/types';

/** The definition of a tool. */
export interface ToolConfig {
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: ToolAnnotations | undefined;
  execution?: ToolExecution | undefined;
  icons?: Icon[] | undefined;
  task?: TaskSupport | undefined;
  scopes?: readonly string[] | undefined;
  _meta?: Record<string, unknown> | undefined;
}

type Handler = (...parts: unknown[]) => Soon<CallToolResult>;

/** The steps of a call that programs may replace, by their official names. */
export interface ToolSteps {
  validateToolInput(tool: RegisteredTool, args: unknown, name: string): Soon<unknown>;
  executeToolHandler(tool: RegisteredTool, args: unknown, extra: object): Soon<CallToolResult>;
  validateToolOutput(tool: RegisteredTool, result: CallToolResult, name: string): Soon<unknown>;
  createToolError(message: string): CallToolResult;
}

/** The program's own step, if it replaced it. */
export type OwnStep = <Name extends keyof ToolSteps>(name: Name) => ToolSteps[Name] | undefined;

/** The result that reports an error. */
export function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text: withoutHalves(text) }], isError: true };
}

/** Counts array items and object members, up to `max` + 1. */
function elements(value: unknown, max: number): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const node = open.pop();
    if (node === null || typeof node !== 'object') continue;
    for (const child of Object.values(node)) {
      if (++count > max) return count;
      open.push(child);
    }
  }
  return count;
}

/** Whether the engine has validated the arguments of every call so far. */
type Trust =
  /** The engine has no list yet. */
  | 'none'
  /** The engine has had the current list since before the first call. */
  | 'whole'
  /** The list has changed since, so it is not known which calls were validated. */
  | 'lost';

/** The tools of one server. */
export class Tools {
  readonly table: Record<string, RegisteredTool>;
  #trust: Trust = 'none';

  constructor(
    private readonly changed: Change,
    private readonly told: Change,
    private readonly face: Face,
    /** The largest number of elements in arguments. */
    private readonly limit: number | undefined,
    /** Whether an unknown tool is an error of the protocol instead of a result. */
    private readonly strict = false,
    /** Returns the message that the model gets instead of an error's own; `undefined` to keep that. */
    private readonly masked?: (error: unknown, where: string) => string | undefined,
    private readonly own: OwnStep = () => undefined,
  ) {
    this.table = records<RegisteredTool>(() => this.touched());
  }

  private touched(): void {
    if (this.#trust === 'whole') this.#trust = 'lost';
    this.changed('tools');
  }

  /** Called when the engine did not accept the list. */
  distrust(): void {
    this.#trust = 'lost';
  }

  /** Throws if a name is already registered. */
  checkFree(name: string): void {
    if (find(this.table, name)) throw alreadyRegistered('Tool', name);
  }

  /** Adds a tool. */
  add(name: string, config: ToolConfig, handler: AnyToolHandler<never>): RegisteredTool {
    validateAndWarnToolName(name);
    let known = name;
    const schema = <T>(given: unknown): T => schemaFrom(given, `Tool ${name}: `) as T;
    const tool: RegisteredTool = watched<RegisteredTool>(
      {
        title: config.title,
        description: config.description,
        inputSchema: schema<RegisteredTool['inputSchema']>(config.inputSchema),
        outputSchema: schema<RegisteredTool['outputSchema']>(config.outputSchema),
        annotations: config.annotations,
        icons: config.icons,
        execution: config.execution,
        _meta: config._meta,
        ...(config.task !== undefined && { task: checkedTask(name, config.task) }),
        ...(config.scopes !== undefined && { scopes: checkedScopes(name, config.scopes) }),
        handler: handler as RegisteredTool['handler'],
        enabled: true,
        disable: () => tool.update({ enabled: false }),
        enable: () => tool.update({ enabled: true }),
        remove: () => tool.update({ name: null }),
        update: ({ name: to, paramsSchema, outputSchema, callback, ...rest }) => {
          if (typeof to === 'string' && to !== known) validateAndWarnToolName(to);
          move(this.table, known, to, tool);
          // In 1.x a handle only ever knows the first name.
          if (to && this.face.modern) known = to;
          assign(tool, {
            ...rest,
            inputSchema: schemaFrom(paramsSchema) as RegisteredTool['inputSchema'],
            outputSchema: schemaFrom(outputSchema) as RegisteredTool['outputSchema'],
            handler: callback as RegisteredTool['handler'] | undefined,
          } as Partial<RegisteredTool>);
          this.told('tools');
        },
      },
      () => this.touched(),
    );
    put(this.table, name, tool);
    if (config.task !== undefined && config.task !== 'forbidden') this.changed('tools', true);
    return tool;
  }

  /** The tools in the form of `tools/list`. */
  list(): object[] {
    return Object.entries(this.table)
      .filter(([, tool]) => tool.enabled)
      .map(([name, tool]) => this.describe(name, tool));
  }

  /** The rows of the engine's snapshot. */
  rows(): object[] {
    const rows = Object.entries(this.table)
      .filter(([, tool]) => tool.enabled)
      .map(([name, tool]) => ({
        tool: this.describe(name, tool),
        validation: isEngines(tool.inputSchema) ? 'engine' : 'host',
        ...(tool.task !== undefined && { task: tool.task }),
      }));
    if (this.#trust === 'none') this.#trust = 'whole';
    return rows;
  }

  /** The scopes that calls need, by the names of tools. */
  scopes(): ScopeRows {
    const entries = Object.entries(this.table).filter(([, { scopes }]) => scopes !== undefined && scopes.length > 0);
    if (entries.length === 0) return {};
    return { tools: Object.fromEntries(entries.map(([name, { scopes }]) => [name, checkedScopes(name, scopes as string[])])) };
  }

  private describe(name: string, tool: RegisteredTool): object {
    const { title, description, annotations, icons, task, _meta } = tool;
    // Only clients of 2025-11-25 are shown this.
    const execution = task === undefined || task === 'forbidden' ? tool.execution : { taskSupport: task };
    const { modern } = this.face;
    const inputSchema = inputSchemaOf(tool.inputSchema, modern);
    const row = { name, title, description, inputSchema, annotations, icons, execution, _meta };
    const outputSchema = outputSchemaOf(tool.outputSchema, modern);
    return outputSchema === undefined ? row : { ...row, outputSchema };
  }

  /**
   * Answers `tools/call`; returns no promise if nothing has to be awaited. What `last` makes of the tool's
   * result is returned, and an error of its own is a tool's error, too.
   */
  call(request: CallToolRequest, extra: object, last?: (result: CallToolResult) => CallToolResult): Soon<CallToolResult> {
    const { name } = request.params;
    if (this.strict && !find(this.table, name)?.enabled) throw this.face.fault(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
    try {
      const ran = this.run(request.params, extra);
      const result = last === undefined ? ran : chain(ran, last);
      return isPromise(result) ? result.catch((error: unknown) => this.refused(error, name)) : result;
    } catch (error) {
      return this.refused(error, name);
    }
  }

  /** The result that reports an error. */
  private refused(error: unknown, name: string): CallToolResult {
    if (this.face.passes(error)) throw error;
    const masked = this.face.isMeant(error) ? undefined : this.masked?.(error, `tool ${name}`);
    const text = masked ?? (error instanceof Error ? error.message : String(error));
    return this.own('createToolError')?.(text) ?? toolError(text);
  }

  private run(params: CallToolRequest['params'], extra: object): Soon<CallToolResult> {
    const { name } = params;
    const tool = find(this.table, name);
    if (tool === undefined) throw this.face.fault(ErrorCode.InvalidParams, `Tool ${name} not found`);
    if (!tool.enabled) throw this.face.fault(ErrorCode.InvalidParams, `Tool ${name} disabled`);
    const handler = tool.handler as Handler | TaskHandler;
    const asTask = 'createTask' in handler;
    const support = tool.execution?.taskSupport;
    if ((support === 'required' || support === 'optional') && !asTask) {
      const text = `Tool ${name} has taskSupport '${support}' but was not registered with registerToolTask`;
      throw this.face.fault(ErrorCode.InternalError, text);
    }
    const wanted = !!params.task;
    if (support === 'required' && !wanted) {
      const text = `Tool ${name} requires task augmentation (taskSupport: 'required')`;
      throw this.face.fault(ErrorCode.MethodNotFound, text);
    }
    const args = (): Soon<unknown> => this.argumentsOf(tool, params.arguments, name, extra);
    if (asTask && support === 'optional' && !wanted) return pollTask(handler, args, extra, this.face) as Promise<CallToolResult>;
    const step = this.own('executeToolHandler');
    const result = chain(args(), (given) => (step ? step(tool, given, extra) : this.execute(tool, given, extra)));
    return wanted ? result : chain(result, (value) => this.looked(tool, value, name));
  }

  /** Runs a tool with arguments that are validated already. */
  execute(tool: RegisteredTool, given: unknown, extra: object): Soon<CallToolResult> {
    const handler = tool.handler as Handler | TaskHandler;
    if ('createTask' in handler) return runTask(handler, tool.inputSchema ? [given] : [], extra) as Soon<CallToolResult>;
    return tool.inputSchema ? handler(given, extra) : handler(extra);
  }

  /** The engine's validation of the arguments; `undefined` if it did not validate these. */
  private seen(tool: RegisteredTool, args: unknown, extra: object): Parsed | undefined {
    if (this.#trust !== 'whole' || !isEngines(tool.inputSchema)) return undefined;
    const live = liveOf(extra);
    if (live === undefined || live.params?.['arguments'] !== args) return undefined;
    return live.invalid ? violated(live.invalid) : { success: true, data: args ?? {} };
  }

  private argumentsOf(tool: RegisteredTool, args: unknown, name: string, extra: object): Soon<unknown> {
    const { limit } = this;
    if (limit !== undefined && elements(args, limit) > limit) {
      const text = `Invalid arguments for tool ${name}: arguments contain more than the maximum of ${limit} elements`;
      throw this.face.fault(ErrorCode.InvalidParams, text);
    }
    const step = this.own('validateToolInput');
    return step ? step(tool, args, name) : this.checked(tool, args, name, this.seen(tool, args, extra));
  }

  /** Validates the arguments of a call, and returns them as the tool's schema converts them. */
  checked(tool: RegisteredTool, args: unknown, name: string, seen?: Parsed): Soon<unknown> {
    if (!tool.inputSchema) return undefined;
    return chain(seen ?? parse(tool.inputSchema, args ?? {}), (parsed) => {
      if (parsed.success) return parsed.data;
      const text = `Input validation error: Invalid arguments for tool ${name}: ${this.face.explain(parsed)}`;
      throw this.face.fault(ErrorCode.InvalidParams, text);
    });
  }

  private looked(tool: RegisteredTool, result: CallToolResult, name: string): Soon<CallToolResult> {
    const step = this.own('validateToolOutput');
    return step ? chain(step(tool, result, name), () => result) : this.verified(tool, result, name);
  }

  /** Validates a result against the tool's output schema and returns it. */
  verified(tool: RegisteredTool, result: CallToolResult, name: string): Soon<CallToolResult> {
    if (!tool.outputSchema || !this.face.hasOutput(result) || result.isError) return result;
    const given = this.face.modern ? result.structuredContent !== undefined : result.structuredContent;
    if (!given) {
      const text = `Output validation error: Tool ${name} has an output schema but no structured content was provided`;
      throw this.face.fault(ErrorCode.InvalidParams, text);
    }
    return chain(parse(tool.outputSchema, result.structuredContent), (parsed) => {
      if (parsed.success) return result;
      const text = `Output validation error: Invalid structured content for tool ${name}: ${this.face.explain(parsed)}`;
      throw this.face.fault(ErrorCode.InvalidParams, text);
    });
  }
}
