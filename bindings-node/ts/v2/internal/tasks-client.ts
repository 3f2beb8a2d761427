/**
 * Tasks as a client holds them. Owns: declaring them, a task's requests, and hearing of its steps.
 * Must not know: how a task is followed to its end; the engine does that.
 */
import { INSIDE } from '../../common/peer/client-peer';
import type { Plan } from '../../engine/driver';
import { ResultSchema, type CallToolRequest } from '../../protocol/types';
import type { Client } from './client';
import type { RequestOptions } from './context';
import { inV2 } from './convert';
import { SdkError, SdkErrorCode } from './errors';
import { resultSchemaFor } from './results';
import { cannotListen, listenTo, type Listener } from './subscription';
import type { CallToolResult } from './tool-types';

const TOLD = 'notifications/tasks';

/** Where a task stands; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What a server says of a task. */
export interface TaskState {
  /** Its id. */
  taskId: string;
  /** Where it stands. */
  status: TaskStatus;
  /** How the work gets on, for people. */
  statusMessage?: string;
  /** When it was created, in ISO 8601. */
  createdAt: string;
  /** When it last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /** Milliseconds from its creation for which the server keeps it; `null`: without end. */
  ttlMs: number | null;
  /** Milliseconds between two questions how it stands, as the server wishes. */
  pollIntervalMs?: number;
  /** What it asks and has no answer to, by key, while it is `input_required`. */
  inputRequests?: Record<string, { method: string; params?: unknown }>;
  /** What came of it, once it is `completed`. */
  result?: CallToolResult;
  /** The JSON-RPC error it failed with, once it is `failed`. */
  error?: { code: number; message: string; data?: unknown };
}

/** The steps of some tasks; of each task only the newest state waits to be read. */
export interface TaskWatch extends AsyncIterable<TaskState> {
  /** The tasks that the server tells of: those of them that are this client's. */
  readonly taskIds: string[];
  /** Ends it. */
  close(): void;
}

/** A request of a client, with options of the engine. */
async function ask(client: Client, method: string, params: object, plan?: Plan, options?: RequestOptions): Promise<unknown> {
  const schema = plan?.['task'] === 'wait' ? resultSchemaFor('tools/call') : ResultSchema;
  const request = { method, params: params as Record<string, unknown> };
  return inV2(() => client[INSIDE].request(request, schema, { ...options, ...(plan !== undefined && { plan }) }), method);
}

/**
 * A task at a server. Who has its id can ask for it: it is a secret where clients are not told apart.
 */
export class Task {
  readonly #client: Client;
  /** Its id. */
  readonly id: string;

  /**
   * Made by `TasksClient`.
   *
   * @param client - The client to ask the server with.
   * @param id - The task's id.
   */
  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  /**
   * How it stands.
   *
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async get(options?: RequestOptions): Promise<TaskState> {
    return (await ask(this.#client, 'tasks/get', { taskId: this.id }, undefined, options)) as TaskState;
  }

  /**
   * Answers questions of the work.
   *
   * @param inputResponses - The answers, by the keys of the questions. Answers to other keys are ignored.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async update(inputResponses: Record<string, unknown>, options?: RequestOptions): Promise<void> {
    await ask(this.#client, 'tasks/update', { taskId: this.id, inputResponses }, undefined, options);
  }

  /**
   * Gives it up. Does nothing once it is over.
   *
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async cancel(options?: RequestOptions): Promise<void> {
    await ask(this.#client, 'tasks/cancel', { taskId: this.id }, undefined, options);
  }

  /**
   * Waits for its end; the client's handlers answer what it asks.
   *
   * @param options - Time-out of each request for the state, abort signal, progress callback and so on.
   *   Default: none.
   * @throws the error that the task failed with, or that it was cancelled.
   */
  async wait(options?: RequestOptions): Promise<CallToolResult> {
    return (await ask(this.#client, 'tasks/get', { taskId: this.id }, { task: 'wait' }, options)) as CallToolResult;
  }
}

/**
 * Switches tasks on for a client, and starts them. A server may then answer a tool call with a task:
 * `client.callTool` goes on until the task is over and returns its result, and what it asks meanwhile
 * goes to the client's handlers. `startTool` returns the task instead.
 *
 * ```ts
 * const client = new Client({ name: 'desk', version: '1.0.0' });
 * const tasks = new TasksClient(client); // before connect
 * await client.connect(transport);
 * const started = await tasks.startTool({ name: 'report', arguments: { year: 2026 } });
 * const result = started instanceof Task ? await started.wait() : started;
 * ```
 */
export class TasksClient {
  readonly #client: Client;

  /**
   * Declares that the client knows tasks.
   *
   * @param client - A client that is not connected yet.
   * @throws `SdkError` if the client is connected already.
   */
  constructor(client: Client) {
    if (client.transport !== undefined) {
      throw new SdkError(SdkErrorCode.AlreadyConnected, 'Cannot declare tasks after connecting: make the TasksClient first');
    }
    const { options } = client[INSIDE];
    options.engine = { ...options.engine, tasks: 'wait' };
    this.#client = client;
  }

  /**
   * Calls a tool, without waiting for the end where it goes on as a task.
   *
   * @param params - The tool's name and arguments.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async startTool(params: CallToolRequest['params'], options?: RequestOptions): Promise<CallToolResult | Task> {
    const answer = (await ask(this.#client, 'tools/call', params, { task: 'raw' }, options)) as { resultType?: string; taskId?: string };
    if (answer.resultType === 'task') return this.task(answer.taskId!);
    return resultSchemaFor('tools/call').parse(answer) as unknown as CallToolResult;
  }

  /**
   * A task that was started before, perhaps by another process. Nothing is sent.
   *
   * @param id - The task's id.
   */
  task(id: string): Task {
    return new Task(this.#client, id);
  }

  /**
   * Hears of the steps of tasks instead of asking for them; modern era only.
   *
   * @param taskIds - The ids of the tasks. Tasks that do not belong to this client are not reported.
   * @throws `SdkError` if the client is not connected, or the server's revision is of the legacy era.
   */
  async watch(taskIds: string[]): Promise<TaskWatch> {
    const { link } = this.#client[INSIDE];
    if (link === undefined) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (this.#client.getProtocolEra() !== 'modern') throw cannotListen(this.#client.getNegotiatedProtocolVersion());
    const steps = new Steps();
    const subscription = await listenTo(link, { taskIds }, {}, steps);
    steps.taskIds = (subscription.honoredFilter as { taskIds?: string[] }).taskIds ?? [];
    steps.close = () => {
      steps.over(undefined);
      void subscription.close();
    };
    return steps;
  }
}

/** States of tasks that wait to be read. */
class Steps implements TaskWatch, Listener {
  taskIds: string[] = [];
  close: () => void = () => undefined;
  readonly #pending = new Map<string, TaskState>();
  #wake: () => void = () => undefined;
  #over = false;
  #error: unknown;

  take(method: string, params: unknown): void {
    if (method !== TOLD) return;
    const state = params as TaskState;
    this.#pending.set(state.taskId, state);
    this.#wake();
  }

  /** Only the first end counts. */
  over(error: unknown): void {
    if (!this.#over) {
      this.#over = true;
      this.#error = error;
    }
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TaskState> {
    for (;;) {
      for (const [id, state] of this.#pending) {
        this.#pending.delete(id);
        yield state;
      }
      if (this.#over) {
        if (this.#error !== undefined) throw this.#error as Error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (this.#over || this.#pending.size > 0) resolve();
      });
    }
  }
}
