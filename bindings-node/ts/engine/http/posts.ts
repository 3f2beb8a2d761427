/**
 * Posted requests that wait for their answers. Owns: which HTTP request brought each, when all of
 * one are answered, and the interface of the engine's side. Must not know: where the answers come
 * from.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';
import type { Exchange } from './exchange';
import type { MessageKind } from './message';

/** What was given with a request. */
export interface Given {
  readonly authInfo?: AuthInfo | undefined;
  /** The body, if it was parsed before. */
  readonly parsedBody?: unknown;
}

/** The engine on the other side of a pipe. */
export interface PipeEngine {
  /** Handles a message; answers come back through `said` and `answered`. */
  take(message: Incoming, post: Post | undefined, about: MessageExtraInfo): void;
  /** Whether the engine answers requests of this revision directly. */
  answers(version: string | undefined): boolean;
  /** Answers a request directly; `over` is called when that is done. */
  answer(exchange: Exchange, given: Given, over: () => void): Promise<void>;
  /**
   * The challenge for scopes that a token lacks for messages; `undefined` if it suffices. `text` is
   * that of a single message as it came, where it did.
   */
  lacks(text: string | undefined, messages: unknown, given: Given, authorization: string | undefined): string | undefined;
  /** Called when nothing is open; a new message may still come. */
  release(): void;
  /** Same as `take`, for a message that passed through the program's own code. */
  takeAgain(message: JSONRPCMessage, about: MessageExtraInfo | undefined): void;
  /** Continues a session that a client opened with another process. */
  adopt(params: InitializeRequestParams): void;
  /** Called when the pipe is closed. */
  closed(): void;
}

/** A message that came in. */
export interface Incoming {
  readonly message: JSONRPCMessage;
  readonly kind: MessageKind;
  /** The message as text, if it was posted alone. */
  readonly text: string | undefined;
  /** The revision that the request names. */
  readonly version: string;
}

/** One HTTP request that contains JSON-RPC requests. */
export interface Post {
  /** The id of its stream, for event stores. */
  readonly stream: string;
  readonly ids: readonly RequestId[];
  /** The answers as JSON, in the order of the requests. */
  readonly answers: (string | undefined)[];
  /** How many requests have no answer yet. */
  left: number;
  /** The exchange to answer with one JSON document; `undefined` if a stream is used. */
  json: Exchange | undefined;
  /** Whether the client has an event to resume from. */
  resumable: boolean;
}

/** All posts that wait, by the ids of their requests. */
export class Posts {
  readonly #byId = new Map<RequestId, Post>();

  /** Whether no post waits. */
  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Adds a post. */
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

  /** The post that brought a request. */
  of(id: RequestId): Post | undefined {
    return this.#byId.get(id);
  }

  /** Removes a post. */
  drop(post: Post): void {
    for (const id of post.ids) if (this.#byId.get(id) === post) this.#byId.delete(id);
  }

  /** Removes all posts and returns them. */
  clear(): Post[] {
    const posts = [...new Set(this.#byId.values())];
    this.#byId.clear();
    return posts;
  }
}
