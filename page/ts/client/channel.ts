// The way to a server, as the page sees it. There is one implementation for each host of the page.
//
// Owns: the shapes that cross it. Must not know: how messages travel, what is shown.

import type { Json, JsonObject } from '../json';

/** What a server says of itself. */
export interface Known {
  serverInfo: { name: string; title?: string; version: string; description?: string; websiteUrl?: string } | null;
  protocolVersion: string;
  capabilities: JsonObject;
  instructions: string | null;
  /** Whether the revision has a handshake, and with it a level of the log for the session. */
  handshake: boolean;
}

/** Where the session stands. */
export interface State {
  state: 'connecting' | 'ready' | 'failed';
  target: { url: string } | { command: string[] };
  roots: Root[];
  server?: Known;
  failure?: { message: string; remedy?: string | null; wantsToken: boolean };
}

export interface Root {
  uri: string;
  name?: string;
}

/** A message on the wire. */
export interface Frame {
  /** Milliseconds since 1970. */
  at: number;
  direction: 'in' | 'out';
  message?: JsonObject;
  /** What is no JSON. */
  text?: string;
}

/** Something that the server asks the person. */
export interface Question {
  id: number;
  method: string;
  params: JsonObject;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** Why a request failed. */
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: Json | undefined,
    /** What kind of failure it is, where that is known. */
    readonly kind: string,
    /** Whether it was not the server that said so. */
    readonly local: boolean,
  ) {
    super(message);
  }
}

/** What happens on a channel. */
export interface Listener {
  state(state: State): void;
  frame(frame: Frame): void;
  question(question: Question): void;
  /** The question is answered, or not asked any more. */
  settled(id: number): void;
  problem(message: string): void;
  /** The host of the page is gone (`lost`), refuses the page's key (`refused`), or is there. */
  host(state: 'there' | 'lost' | 'refused'): void;
}

/** The way to one server. */
export interface Channel {
  /** Begins to listen. What happened before is told first. */
  open(listener: Listener): void;
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<Json>;
  /** Answers a question; `null` refuses it. */
  answer(id: number, result: JsonObject | null): void;
  setRoots(roots: Root[]): void;
  /** Reaches the server anew, with a token if one is given. */
  connect(token?: string): void;
}

export interface RequestOptions {
  onProgress?: (progress: Progress) => void;
  /** Aborting gives the request up; it then fails with the kind `Cancelled`. */
  signal?: AbortSignal;
}
