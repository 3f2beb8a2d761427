/**
 * Guard rails that a program writes: who may do what, the audit, what leaves, what arrives.
 *
 * Owns: what the functions are given, and how their answers go back to the engine, which
 * asks them, waits for them and does what they say. Must not know: handlers.
 */
import { randomBytes } from 'node:crypto';
import type { Driver } from './driver';
import type { Implementation, Result } from '../types';

/** What becomes of an action; `hide` is as if the thing did not exist. */
export type Verdict = 'allow' | 'hide' | { deny: string };

/** Something that a client wants to do, or an entry of a list that it wants to see. */
export interface Action {
  readonly verb: 'call' | 'read' | 'get' | 'complete' | 'subscribe' | 'list';
  readonly thing: 'tool' | 'resource' | 'template' | 'prompt';
  /** Its name, or its URI. */
  readonly name: string;
}

/** Who wants to do something. */
export interface Asker {
  /** The number of the connection or session in this process. */
  readonly connection: number;
  /** How it came: `stdio`, `memory`, `http` and so on. */
  readonly transport: string;
  /** Address and port, where the engine has the socket. */
  readonly peer: string | null;
  /** Who it is, where credentials were checked. */
  readonly principal: string | null;
  /** The headers of the HTTP request, over HTTP. */
  readonly headers: Headers | undefined;
  /** Who the client says it is. Anybody can say anything. */
  readonly clientInfo: Implementation | null;
  /** The revision of the protocol it speaks. */
  readonly revision: string;
}

/** One request, or how many records were lost because the function was too slow. */
export type AuditRecord =
  | {
      /** Microseconds since 1970. */
      time: number;
      /** The number of its connection or session in this process. */
      session: number;
      principal: string | null;
      /** Name and version the client gives itself. */
      client: string | null;
      method: string;
      /** The tool or prompt, or the URI of the resource. */
      name: string | null;
      /** `sha256:` and the digest; never the arguments. */
      arguments: string | null;
      outcome: string;
      /** Which kind of error it was. */
      kind: string | null;
      /** Microseconds. */
      duration: number;
      bytes: number;
    }
  | { lost: number };

/** Decides what a client may do and see. One that throws refuses. */
export type Authorize = (asker: Asker, action: Action) => Verdict | Promise<Verdict>;
/** Where records of requests go: a file of JSON lines, or a function of one record at a time. */
export type Audit = string | ((record: AuditRecord) => unknown);
/** Returns a result as it may leave. If it throws, nothing leaves. */
export type SanitizeResult = (method: string, name: string | null, result: Result) => Result | Promise<Result>;
/** Says why a result is refused, or nothing. One that throws refuses. */
export type ValidateResult = (
  method: string,
  name: string | null,
  result: Result,
) => string | null | undefined | Promise<string | null | undefined>;

/** The guard rails of a server beside those of the engine's own options. */
export interface ServerGuards {
  /** Decides what each client may do and see: asked for calls, and for every entry of a list. */
  authorize?: Authorize | undefined;
  /**
   * Gets a record of each request: a path of a file, to which lines of JSON are added, or a
   * function. What the function is too slow for is lost, and it is told how many.
   */
  audit?: Audit | undefined;
  /** Sees each result of a tool, resource or prompt before it leaves. */
  sanitizeResult?: SanitizeResult | undefined;
  /**
   * What clients learn of what handlers throw. `message`, if nothing is said: its message.
   * `masked`: an id, under which `onerror`, or stderr without it, has the rest; an
   * `McpError` still says what it says.
   */
  errorDetail?: 'message' | 'masked' | undefined;
}

/** What a face says of what does not exist, with `{name}` in it. */
export interface HiddenWords {
  /** Of a tool, in a result. */
  hidden_tool?: string;
  /** Of a tool, in an error. */
  hidden_tool_error?: string;
  hidden_resource: string;
  hidden_prompt: string;
}

/** The services of one server or client on a driver. */
export interface Guarded {
  /** Options that make the engine ask. */
  readonly options: Record<string, unknown>;
  /** Ends the service: answers what waits, and lets go. */
  leave(): void;
}

type Service = (payload: any) => Promise<string>;

/** Of a driver's services each has a name of its own. */
let last = 0;

/** Hears of what a function threw; the engine refuses then. */
type Failed = (error: unknown) => void;

/** Answers what the engine asks of a server's guard rails. */
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

/** Answers what the engine asks of a client. */
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
      // Not while items are acted on: what waits may be the last records of an audit.
      setImmediate(() => {
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
    for (const action of actions) verdicts.push(await authorize(asker, action));
    return JSON.stringify(verdicts);
  };
}

/** Reports an error to the log under an id, and returns the text that a client gets instead. */
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
