/** Tasks of a server, seen from its client. Owns: the official class. Must not know: how a task is polled. */
import type { AnyObjectSchema, SchemaOutput } from '../../protocol/schema/output';
import { TaskQuestions } from './follow';
import type { Protocol, RequestOptions } from '../peer/protocol';
import type { ResponseMessage } from '../peer/response-message';
import {
  CallToolResultSchema,
  McpError,
  type CallToolRequest,
  type CallToolResult,
  type CancelTaskResult,
  type ClientNotification,
  type ClientRequest,
  type ClientResult,
  type CompatibilityCallToolResultSchema,
  type GetTaskResult,
  type ListTasksResult,
  type Notification,
  type Request,
  type Result,
  type ServerCapabilities,
} from '../../protocol/types';

/** A client whose requests can run as tasks. */
type Peer<RequestT extends Request, NotificationT extends Notification, ResultT extends Result> = Protocol<
  ClientRequest | RequestT,
  ClientNotification | NotificationT,
  ClientResult | ResultT
> & { getServerCapabilities(): ServerCapabilities | undefined };

/** The client's records of the server's tools. */
interface Knowing {
  _toolResults: {
    mayBeTask(name: string): boolean;
    check(name: string, result: CallToolResult): void;
  };
}

type ToolStep<T> = ResponseMessage<SchemaOutput<T> & Result>;

/**
 * Runs requests as tasks on the server: `client.experimental.tasks`.
 *
 * @experimental
 */
export class ExperimentalClientTasks<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> {
  readonly #client: Peer<RequestT, NotificationT, ResultT>;
  readonly #ask: TaskQuestions;

  /**
   * Creates access to the tasks of the server this client is connected to.
   * @param client - The client.
   */
  constructor(client: Peer<RequestT, NotificationT, ResultT>) {
    this.#client = client;
    this.#ask = new TaskQuestions(client);
  }

  /**
   * Calls a tool and yields each step; the last one is a result or an error. The call becomes a
   * task if the options ask for one, or if the server lists the tool with `taskSupport`
   * `optional` or `required`.
   * @param params - The tool's name and its arguments.
   * @param resultSchema - The schema of the result. Default: that of the protocol.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async *callToolStream<T extends typeof CallToolResultSchema | typeof CompatibilityCallToolResultSchema>(
    params: CallToolRequest['params'],
    resultSchema: T = CallToolResultSchema as T,
    options?: RequestOptions,
  ): AsyncGenerator<ToolStep<T>, void, void> {
    const { _toolResults: known } = this.#client as unknown as Knowing;
    const isTask = this.#client.getServerCapabilities()?.tasks?.requests?.tools?.call && known.mayBeTask(params.name);
    const task = options?.task ?? (isTask ? {} : undefined);
    const steps = this.#ask.follow({ method: 'tools/call', params }, resultSchema, { ...options, task });
    for await (const step of steps) {
      if (step.type === 'result') {
        try {
          known.check(params.name, step.result as CallToolResult);
        } catch (error) {
          yield { type: 'error', error: error as McpError };
          return;
        }
      }
      yield step as ToolStep<T>;
    }
  }

  /**
   * Gets the state of a task.
   * @param taskId - The id of the task.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async getTask(taskId: string, options?: RequestOptions): Promise<GetTaskResult> {
    return this.#ask.get(taskId, options);
  }

  /**
   * Gets the result of a task; waits until the task is over.
   * @param taskId - The id of the task.
   * @param resultSchema - The schema of the result. Default: that of the protocol.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async getTaskResult<T extends AnyObjectSchema>(
    taskId: string,
    resultSchema?: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    return this.#ask.result(taskId, resultSchema, options);
  }

  /**
   * Lists one page of tasks.
   * @param cursor - Where the page begins: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async listTasks(cursor?: string, options?: RequestOptions): Promise<ListTasksResult> {
    return this.#ask.list(cursor, options);
  }

  /**
   * Cancels a task.
   * @param taskId - The id of the task.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async cancelTask(taskId: string, options?: RequestOptions): Promise<CancelTaskResult> {
    return this.#ask.cancel(taskId, options);
  }

  /**
   * Sends a request and yields each step; the last one is a result or an error.
   * @param request - The method and its params.
   * @param resultSchema - The schema of the result.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  requestStream<T extends AnyObjectSchema>(
    request: ClientRequest | RequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T> & Result>, void, void> {
    return this.#ask.follow(request, resultSchema, options);
  }
}
