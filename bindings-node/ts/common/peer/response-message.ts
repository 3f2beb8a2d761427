/**
 * The steps of a request that runs as a task. Owns: the types of the steps and two helpers. Must
 * not know: who sends them.
 */
import type { McpError, Result, Task } from '../../protocol/types';

/** A step of a request. */
export interface BaseResponseMessage {
  /** The kind of step. */
  type: string;
}

/** The status of the task changed. */
export interface TaskStatusMessage extends BaseResponseMessage {
  /** What step it is. */
  type: 'taskStatus';
  /** The task. */
  task: Task;
}

/** The request became a task. */
export interface TaskCreatedMessage extends BaseResponseMessage {
  /** What step it is. */
  type: 'taskCreated';
  /** The task. */
  task: Task;
}

/** The last step: a result. */
export interface ResultMessage<T extends Result> extends BaseResponseMessage {
  /** What step it is. */
  type: 'result';
  /** The result. */
  result: T;
}

/** The last step: an error. */
export interface ErrorMessage extends BaseResponseMessage {
  /** What step it is. */
  type: 'error';
  /** The error. */
  error: McpError;
}

/** Any step of a request; the last one is a result or an error. */
export type ResponseMessage<T extends Result> =
  | TaskStatusMessage
  | TaskCreatedMessage
  | ResultMessage<T>
  | ErrorMessage;

/** The type of the values that an async generator yields. */
export type AsyncGeneratorValue<T> = T extends AsyncGenerator<infer U> ? U : never;

/**
 * Collects all values of an async generator.
 * @param it - The generator.
 */
export async function toArrayAsync<T extends AsyncGenerator<unknown>>(it: T): Promise<AsyncGeneratorValue<T>[]> {
  const steps: AsyncGeneratorValue<T>[] = [];
  for await (const step of it) steps.push(step as AsyncGeneratorValue<T>);
  return steps;
}

/**
 * Waits for the last step and returns the result.
 *
 * @param it - The steps of a request.
 * @throws the error, if the request ended with one.
 */
export async function takeResult<T extends Result, U extends AsyncGenerator<ResponseMessage<T>>>(it: U): Promise<T> {
  for await (const step of it) {
    if (step.type === 'result') return step.result;
    if (step.type === 'error') throw step.error;
  }
  throw new Error('No result in stream.');
}
