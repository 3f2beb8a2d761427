/** Tasks of a client, seen from the server. Owns: the official class. Must not know: how a task is polled. */
import { checkSampling } from '../peer/sampling';
import type { AnySchema, SchemaOutput } from '../../protocol/schema/output';
import { TaskQuestions } from './follow';
import type { Protocol, RequestOptions } from '../peer/protocol';
import type { ResponseMessage } from '../peer/response-message';
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  type CancelTaskResult,
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type GetTaskResult,
  type ListTasksResult,
  type Notification,
  type Request,
  type Result,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

/** A server whose requests can run as tasks. */
type Peer<RequestT extends Request, NotificationT extends Notification, ResultT extends Result> = Protocol<
  ServerRequest | RequestT,
  ServerNotification | NotificationT,
  ServerResult | ResultT
> & { getClientCapabilities(): ClientCapabilities | undefined };

/**
 * Runs requests as tasks on the client: `server.experimental.tasks`.
 *
 * @experimental
 */
export class ExperimentalServerTasks<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> {
  readonly #server: Peer<RequestT, NotificationT, ResultT>;
  readonly #ask: TaskQuestions;

  /**
   * Creates access to the tasks of the client this server is connected to.
   * @param server - The server.
   */
  constructor(server: Peer<RequestT, NotificationT, ResultT>) {
    this.#server = server;
    this.#ask = new TaskQuestions(server);
  }

  /**
   * Sends a request and yields each step; the last one is a result or an error.
   * @param request - The method and its params.
   * @param resultSchema - The schema of the result.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  requestStream<T extends AnySchema>(
    request: ServerRequest | RequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T> & Result>, void, void> {
    return this.#ask.follow(request, resultSchema, options);
  }

  /**
   * Requests a message from the client's model and yields each step.
   *
   * @param params - The conversation, the limit of tokens, and other wishes for the answer.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws if the client does not support sampling.
   */
  createMessageStream(
    params: CreateMessageRequestParams,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<CreateMessageResult>, void, void> {
    checkSampling(params, this.#server.getClientCapabilities());
    return this.#ask.follow({ method: 'sampling/createMessage', params }, CreateMessageResultSchema, options);
  }

  /**
   * Asks the user and yields each step.
   *
   * @param params - The question: a form or a URL.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws if the client does not support this mode of elicitation.
   */
  elicitInputStream(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<ElicitResult>, void, void> {
    const mode = params.mode ?? 'form';
    if (!this.#server.getClientCapabilities()?.elicitation?.[mode]) {
      throw refusal('unsupported', `Client does not support ${mode} elicitation.`);
    }
    return this.#ask.follow({ method: 'elicitation/create', params: { ...params, mode } }, ElicitResultSchema, options);
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
  async getTaskResult<T extends AnySchema>(
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
}
