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

/** The status of a task; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The state of a task, as the server reports it. */
export interface TaskState {
  /** The task's id. */
  taskId: string;
  /** The status of the task. */
  status: TaskStatus;
  /** A text about the status, for people. */
  statusMessage?: string;
  /** When the task was created, in ISO 8601. */
  createdAt: string;
  /** When the task last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /** For how long from its creation the server keeps the task, in milliseconds; `null` for no limit. */
  ttlMs: number | null;
  /** How often the server wants to be asked for the state at most: the interval in milliseconds. */
  pollIntervalMs?: number;
  /** The open questions of the task by key, while the status is `input_required`. */
  inputRequests?: Record<string, { method: string; params?: unknown }>;
  /** The result of the call, once the status is `completed`. */
  result?: CallToolResult;
  /** The JSON-RPC error of the call, once the status is `failed`. */
  error?: { code: number; message: string; data?: unknown };
}

/** An iteration over new states of some tasks. If it is read slowly, it skips to the newest state of each task. */
export interface TaskWatch extends AsyncIterable<TaskState> {
  /** The ids of the watched tasks: those of the requested ones that belong to this client. */
  readonly taskIds: string[];
  /** Ends the watch, and the iteration. */
  close(): void;
}

/** A request of a client, with options of the engine. */
async function ask(client: Client, method: string, params: object, plan?: Plan, options?: RequestOptions): Promise<unknown> {
  const schema = plan?.['task'] === 'wait' ? resultSchemaFor('tools/call') : ResultSchema;
  const request = { method, params: params as Record<string, unknown> };
  const given = { ...options, ...(plan !== undefined && { plan }) };
  return inV2(() => client[INSIDE].request(request, schema, given), method, options?.signal);
}

/**
 * A task at a server. Keep its id secret: where a server does not authenticate clients, anyone with the id
 * can ask for the task.
 */
export class Task {
  readonly #client: Client;
  /** The task's id. */
  readonly id: string;

  /**
   * Creates a handle of a task; `startTool` and `task` of a `TasksClient` do it for you.
   *
   * @param client - The connected client that sends the requests.
   * @param id - The task's id.
   */
  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  /**
   * Asks the server for the state of the task.
   *
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async get(options?: RequestOptions): Promise<TaskState> {
    return (await ask(this.#client, 'tasks/get', { taskId: this.id }, undefined, options)) as TaskState;
  }

  /**
   * Answers questions of the task.
   *
   * @param inputResponses - The answers, by the keys of the questions. Answers to other keys are ignored.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async update(inputResponses: Record<string, unknown>, options?: RequestOptions): Promise<void> {
    await ask(this.#client, 'tasks/update', { taskId: this.id, inputResponses }, undefined, options);
  }

  /**
   * Cancels the task. Does nothing once it is over.
   *
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async cancel(options?: RequestOptions): Promise<void> {
    await ask(this.#client, 'tasks/cancel', { taskId: this.id }, undefined, options);
  }

  /**
   * Waits for the end of the task; the client's handlers answer its questions.
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
 * `client.callTool` waits for the end of the task and returns its result, and the client's handlers answer
 * its questions. `startTool` returns the task instead.
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
   * Declares the tasks extension for a client.
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
   * Calls a tool. Returns its result, or the task if the server runs the call as one.
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
   * Returns a handle of a task that was started before, perhaps by another process. Sends nothing.
   *
   * @param id - The task's id.
   */
  task(id: string): Task {
    return new Task(this.#client, id);
  }

  /**
   * Subscribes to changes of tasks, instead of asking for their states; since 2026-07-28.
   *
   * @param taskIds - The ids of the tasks. Tasks that do not belong to this client are not reported.
   * @throws `SdkError` if the client is not connected, or the revision is older than 2026-07-28.
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
