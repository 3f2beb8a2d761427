/**
 * Requests of clients that wait for their answers. Owns: which HTTP request brought each,
 * and when all of one are answered; what the other side of a pipe is told. Must not know:
 * where the answers come from.
 */
import type { AuthInfo } from '../server/auth/types';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../types';
import type { Exchange } from './http-exchange';
import type { MessageKind } from './http-message';

/** What came with a request. */
export interface Given {
  readonly authInfo?: AuthInfo | undefined;
  /** The body, where it was already parsed. */
  readonly parsedBody?: unknown;
}

/** The other side, where it is the engine. */
export interface PipeEngine {
  /** Takes a message; answers come back with `said` and `answered`. */
  take(message: Incoming, post: Post | undefined, about: MessageExtraInfo): void;
  /** Whether it answers a request of this revision by itself. */
  answers(version: string | undefined): boolean;
  /** Answers it; `over` is called when that is done. */
  answer(exchange: Exchange, given: Given, over: () => void): Promise<void>;
  /** There is nothing more to carry, as long as nothing comes. */
  release(): void;
  /** As `take`, for what a program's own code has had in its hands. */
  takeAgain(message: JSONRPCMessage, about: MessageExtraInfo | undefined): void;
  /** A client agreed on this with another process. */
  adopt(params: InitializeRequestParams): void;
  /** There is nothing more to carry. */
  closed(): void;
}

/** A message that came in. */
export interface Incoming {
  readonly message: JSONRPCMessage;
  readonly kind: MessageKind;
  /** The same as it came, where it came alone. */
  readonly text: string | undefined;
  /** The revision its request speaks. */
  readonly version: string;
}

/** One HTTP request with requests in it. */
export interface Post {
  /** Name of its stream, for event stores. */
  readonly stream: string;
  readonly ids: readonly RequestId[];
  /** Answers as JSON, in the order of the requests. */
  readonly answers: (string | undefined)[];
  /** How many requests have no answer yet. */
  left: number;
  /** Where the answers go as one JSON text, if not into a stream. */
  json: Exchange | undefined;
  /** Its client has an event to resume from. */
  resumable: boolean;
}

/** All that wait, by the ids of their requests. */
export class Posts {
  readonly #byId = new Map<RequestId, Post>();

  /** Whether none waits. */
  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Adds one. */
  add(stream: string, ids: readonly RequestId[]): Post {
    const post: Post = {
      stream,
      ids,
      answers: new Array<string | undefined>(ids.length),
      left: ids.length,
      json: undefined,
      resumable: false,
    };
    for (const id of ids) this.#byId.set(id, post);
    return post;
  }

  /** The one that brought a request. */
  of(id: RequestId): Post | undefined {
    return this.#byId.get(id);
  }

  /** Forgets one. */
  drop(post: Post): void {
    for (const id of post.ids) if (this.#byId.get(id) === post) this.#byId.delete(id);
  }

  /** Forgets all. */
  clear(): Post[] {
    const posts = [...new Set(this.#byId.values())];
    this.#byId.clear();
    return posts;
  }
}
