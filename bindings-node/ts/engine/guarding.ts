/**
 * Guard rails as functions of the program: access, audit, outgoing and incoming results.
 *
 * Owns: what the functions receive, and how their answers reach the engine, which calls them, waits
 * for them and enforces what they return. Must not know: handlers.
 */
import { randomBytes } from 'node:crypto';
import type { Driver } from './driver';
import { runtime } from './timers';
import type { Implementation, Result } from '../protocol/types';

/**
 * The decision about an action: `allow`; `hide`, so that the object seems not to exist; or `deny` with a
 * reason that the client sees.
 */
export type Verdict = 'allow' | 'hide' | { deny: string };

/** An action of a client on one object, or one entry of a list that it asked for. */
export interface Action {
  /** The operation; `list` for an entry of a list. */
  readonly verb: 'call' | 'read' | 'get' | 'complete' | 'subscribe' | 'list';
  /** The kind of object. */
  readonly thing: 'tool' | 'resource' | 'template' | 'prompt' | 'method';
  /**
   * The name, or the URI of a resource. `authorize` is asked about a resource once more if handlers may get its
   * URI in another spelling than the client's, e.g. `file:///a/../b` as `file:///b`: the stricter verdict holds.
   */
  readonly name: string;
}

/** The client whose action is to be decided. */
export interface Asker {
  /** The number of the connection or session in this process. */
  readonly connection: number;
  /** How the client is connected: `stdio`, `memory`, `http` and so on. */
  readonly transport: string;
  /** The client's address and port, if the engine has the socket; else `null`. */
  readonly peer: string | null;
  /**
   * The authenticated client or user; `null` if no credentials were checked. It is the client's id or, if
   * `authInfo.extra` has `iss` or `sub`, the JSON array of client id, issuer and subject.
   */
  readonly principal: string | null;
  /** The headers of the HTTP request; `undefined` on other transports. */
  readonly headers: Headers | undefined;
  /** The name and version that the client sent, not verified; `null` without them. */
  readonly clientInfo: Implementation | null;
  /** The protocol revision that the client uses. */
  readonly revision: string;
}

/** The record of one request, or how many records were lost because the function was too slow. */
export type AuditRecord =
  | {
      /** When the request arrived, in microseconds since 1970. */
      time: number;
      /** The number of the connection or session in this process. */
      session: number;
      /** The authenticated user or client; `null` without one. */
      principal: string | null;
      /** The name and version that the client sent, not verified. */
      client: string | null;
      /** The method of the request. */
      method: string;
      /** The name of the tool or prompt, or the URI of the resource. */
      name: string | null;
      /** `sha256:` and a digest of the arguments; never the arguments themselves. */
      arguments: string | null;
      /** The outcome of the request. */
      outcome: string;
      /** The kind of error, if the request failed. */
      kind: string | null;
      /** How long the request took, in microseconds. */
      duration: number;
      /** How many bytes the result has. */
      bytes: number;
    }
  | { lost: number };

/** Decides whether a client may do or see something. If it throws, the action is refused. */
export type Authorize = (asker: Asker, action: Action) => Verdict | Promise<Verdict>;
/** The destination of audit records: a file of JSON lines, or a function called with each record. */
export type Audit = string | ((record: AuditRecord) => unknown);
/** Returns the result to send instead of the given one. If it throws, the request fails. */
export type SanitizeResult = (method: string, name: string | null, result: Result) => Result | Promise<Result>;
/** Returns why a result is refused, or nothing to accept it. If it throws, the result is refused. */
export type ValidateResult = (
  method: string,
  name: string | null,
  result: Result,
) => string | null | undefined | Promise<string | null | undefined>;

/** Guard rails of a server, in addition to the engine's own options. */
export interface ServerGuards {
  /** Decides what each client may do and see; called for each call and for each entry of a list. Default: everything. */
  authorize?: Authorize | undefined;
  /**
   * Where to write a record of each request: the path of a file of JSON lines, or a function. If the
   * function is too slow, records are dropped, and it gets a record of how many. Default: nowhere.
   */
  audit?: Audit | undefined;
  /** Called with each result of a tool, prompt or resource; returns the result to send. Default: all are sent unchanged. */
  sanitizeResult?: SanitizeResult | undefined;
  /**
   * What clients see when a handler throws: `message`, the default, is the error's message; `masked` is
   * only an id, under which `onerror` gets the error, or stderr without `onerror`. The message of an
   * `McpError` is never masked.
   */
  errorDetail?: 'message' | 'masked' | undefined;
}

/** A face's messages for items that do not exist, with the placeholder `{name}`. */
export interface HiddenWords {
  /** The message about a tool, in a result with `isError`. */
  hidden_tool?: string;
  /** The message about a tool, in an error. */
  hidden_tool_error?: string;
  hidden_resource: string;
  hidden_prompt: string;
}

/** The registered services of one server or client. */
export interface Guarded {
  /** Options that make the engine call the services. */
  readonly options: Record<string, unknown>;
  /** Removes the services, after answering the questions that wait. */
  leave(): void;
}

type Service = (payload: any) => Promise<string>;

/** Makes the names of services unique within a driver. */
let last = 0;

/** Called with errors that a function threw; the engine then refuses. */
type Failed = (error: unknown) => void;

/** Registers the guard rails of a server as services. */
export function guard(driver: Driver, guards: ServerGuards, engine: Record<string, unknown>, failed: Failed): Guarded | undefined {
  const { authorize, audit, sanitizeResult, errorDetail } = guards;
  const options: Record<string, unknown> = {};
  const services: Record<string, Service> = {};
  const number = ++last;
  if (authorize !== undefined) {
    services[(options['authorize'] = `server.authorize/${number}`)] = verdictsOf(authorize);
  }
  if (audit !== undefined) {
    const given = (engine['audit'] ?? {}) as object;
    const service = `audit.record/${number}`;
    options['audit'] = typeof audit === 'string' ? { ...given, path: audit } : { ...given, service };
    if (typeof audit !== 'string') {
      services[service] = async (record: AuditRecord) => {
        await audit(record);
        return 'null';
      };
    }
  }
  if (sanitizeResult !== undefined) {
    services[(options['sanitize_result'] = `result.sanitize/${number}`)] = async ({ method, name, result }) =>
      JSON.stringify(await sanitizeResult(method, name, result)) ?? 'null';
  }
  if (errorDetail !== undefined) options['error_detail'] = errorDetail;
  return Object.keys(options).length === 0 ? undefined : serve(driver, services, options, failed);
}

/** Registers the guard rails of a client as services. */
export function guardClient(driver: Driver, validate: ValidateResult, failed: Failed): Guarded {
  const service = `result.validate/${++last}`;
  const answer: Service = async ({ method, name, result }) =>
    JSON.stringify((await validate(method, name, result)) ?? null);
  return serve(driver, { [service]: answer }, { validate_result: service }, failed);
}

function serve(driver: Driver, services: Record<string, Service>, options: Record<string, unknown>, failed: Failed): Guarded {
  for (const [name, service] of Object.entries(services)) {
    const told: Service = (payload) =>
      service(payload).catch((error: unknown) => {
        failed(error);
        throw error;
      });
    driver.services.set(name, told);
  }
  return {
    options,
    leave: () => {
      // Delayed, because the items that wait may be the last audit records.
      runtime.setImmediate(() => {
        if (Object.keys(services).length > 0) driver.drain();
        for (const name of Object.keys(services)) driver.services.delete(name);
      });
    },
  };
}

interface AskerText extends Omit<Asker, 'headers'> {
  headers: [string, string][] | null;
}

function verdictsOf(authorize: Authorize): Service {
  return async ({ asker: said, actions }: { asker: AskerText; actions: Action[] }) => {
    const { connection, transport, peer, principal, clientInfo, revision } = said;
    const headers = said.headers === null ? undefined : new Headers(said.headers);
    const asker: Asker = { connection, transport, peer, principal, headers, clientInfo, revision };
    const verdicts: Verdict[] = [];
    for (const action of actions) verdicts.push(await strictest(authorize, asker, action));
    return JSON.stringify(verdicts);
  };
}

/** The strictest verdict on all that the client's words may lead to. */
async function strictest(authorize: Authorize, asker: Asker, action: Action): Promise<Verdict> {
  let found: Verdict = 'allow';
  for (const each of spellings(action)) {
    const verdict = await authorize(asker, each);
    if (strictness(verdict) > strictness(found)) found = verdict;
  }
  return found;
}

/**
 * The action as the client named it and, if that differs, as handlers whose URIs are `URL` objects get it. Which of
 * them a server has does not matter: no spelling gets past a verdict.
 */
function spellings(action: Action): Action[] {
  if (action.thing !== 'resource' || !URL.canParse(action.name)) return [action];
  const { href } = new URL(action.name);
  return href === action.name ? [action] : [action, { ...action, name: href }];
}

/** Which verdict holds: the highest. What is no verdict denies. */
function strictness(verdict: Verdict): number {
  if (verdict === 'allow') return 0;
  return verdict === 'hide' ? 2 : 1;
}

/** Logs an error under an id, and returns the message that the client gets instead. */
export function maskedWords(error: unknown, where: string, log: ((error: Error) => void) | undefined): string {
  const id = randomBytes(8).toString('hex');
  const told = new Error(`internal error (id ${id}) in ${where}: ${wordsOf(error)}`, { cause: error });
  if (log === undefined) console.error(told);
  else log(told);
  return `internal error (id ${id})`;
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'what was thrown cannot be shown';
  }
}
