/**
 * Servers that are child processes, reached over their standard streams.
 *
 * Owns: how a program is started, and the transport object. Must not know: sessions. The engine
 * owns the process and always ends it, together with everything it started.
 */
import type { IOType } from 'node:child_process';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { PassThrough, type Stream } from 'node:stream';
import { AloneTransport } from '../../engine/client/alone';
import { causeOf } from '../../engine/cause';
import type { ClientConnection } from '../../engine/client/connection';
import { isUntouched, REACH, tell, type Reach } from '../../engine/client/reach';
import { failureOf, type Failure } from '../../engine/failure';
import { written } from '../../engine/written';
import type { Transport } from '../../protocol/transport';
import type { JSONRPCMessage } from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

/** How to start a server process. */
export type StdioServerParameters = {
  /** The program to run: a name in the `PATH`, or a path. */
  command: string;
  /** The program's arguments. Default: none. */
  args?: string[];
  /** Environment variables in addition to `getDefaultEnvironment()`; others are not inherited. Default: none. */
  env?: Record<string, string>;
  /** Where the server's standard error goes, as in `child_process.spawn`. Default: `inherit`. */
  stderr?: IOType | Stream | number;
  /** The working directory. Default: that of this process. */
  cwd?: string;
  /** The longest message that is accepted from the server, in bytes; longer ones are skipped. Default: 64 MiB. */
  maxBufferSize?: number;
  /**
   * Restarts a server that crashed, at most `max` times in a row, after `backoff` milliseconds (0).
   * Subscriptions are restored; running calls that may have changed something fail. Default: no restart.
   */
  restart?: { max: number; backoff?: number };
};

/** Environment variables that a server inherits: only those that programs need to start. */
export const DEFAULT_INHERITED_ENV_VARS: string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PROCESSOR_ARCHITECTURE',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'PROGRAMFILES',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/** The values of the inherited variables. Values that define shell functions are left out. */
export function getDefaultEnvironment(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of DEFAULT_INHERITED_ENV_VARS) {
    const value = process.env[name];
    if (value !== undefined && !value.startsWith('()')) found[name] = value;
  }
  return found;
}

/** How long to wait for the server to exit after its input is closed, and again after it is told to terminate. */
const GRACE_SECONDS = 2;
/** How many characters of standard error are buffered for a reader; more are dropped. */
const MAX_UNREAD = 1 << 20;

/**
 * Client transport for a server that runs as a child process.
 *
 * @example
 * ```ts
 * const transport = new StdioClientTransport({ command: 'node', args: ['server.mjs'] });
 * await client.connect(transport);
 * ```
 */
export class StdioClientTransport implements Transport {
  /** Called when the connection is closed. */
  onclose?: () => void;
  /** Called with each error, even if it does not end the connection. */
  onerror?: (error: Error) => void;
  /** Called with each message from the server. */
  onmessage?: (message: JSONRPCMessage) => void;
  // The official names: some programs change `stderr` here before the start.
  private _serverParams: StdioServerParameters;
  private _stderrStream: PassThrough | null;
  #alone: AloneTransport | undefined;
  #adopted: ClientConnection | undefined;
  #pid: number | null = null;

  /**
   * Creates a transport. `Client.connect` starts the process.
   * @param server - The program, its arguments, environment, working directory and so on.
   */
  constructor(server: StdioServerParameters) {
    this._serverParams = server;
    this._stderrStream = isPiped(server.stderr) ? new PassThrough() : null;
  }

  /** Starts the process. `Client.connect` calls it. */
  async start(): Promise<void> {
    if (this.isStarted()) {
      throw new Error(
        'StdioClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      );
    }
    try {
      this.#alone = new AloneTransport(this.target(), {
        message: (message) => this.onmessage?.(message as JSONRPCMessage),
        failed: () => undefined,
        remark: (kind, words) => this.remark(kind, words),
        closed: () => this.ended(),
      });
      this.#pid = this.#alone.pid;
    } catch (thrown) {
      const error = startError(failureOf(thrown)?.message ?? String(thrown), this._serverParams);
      this.onerror?.(error);
      throw error;
    }
  }

  /**
   * Sends a message to the server.
   * @param message - The message.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#adopted !== undefined) return tell(this.#adopted, message, () => undefined);
    if (this.#alone === undefined) throw refusal('not_connected', 'Not connected');
    this.#alone.send(message);
  }

  /** Ends the server: closes its input, then terminates it, then kills it. */
  async close(): Promise<void> {
    await (this.#adopted ?? this.#alone)?.close();
  }

  /**
   * The server's standard error as a stream, if `stderr` is `pipe` or `overlapped`, else `null`.
   * Available before `start`.
   */
  get stderr(): Stream | null {
    return this._stderrStream;
  }

  /** The process id of the server while it runs, else `null`. */
  get pid(): number | null {
    return this.#pid;
  }

  /** @internal */
  get [REACH](): Reach {
    return {
      target: () => (!this.isStarted() && isUntouched(this, WRITTEN) ? this.target() : undefined),
      adopted: (connection) => {
        this.#adopted = connection;
        this.#pid = connection.describe().process ?? null;
        connection.hold();
      },
      agreed: () => undefined,
      left: async () => this.#alone?.close(),
      comesBack: this._serverParams.restart !== undefined,
      remark: (kind, words) => this.remark(kind, words),
      ended: () => this.ended(),
      openError: (failure) => startError(failure.message, this._serverParams),
      error: (failure) => this.tooLong(failure),
    };
  }

  private isStarted(): boolean {
    return this.#alone !== undefined || this.#adopted !== undefined;
  }

  private target(): object {
    const { command, args = [], env, cwd, maxBufferSize, restart, stderr } = this._serverParams;
    return {
      command,
      // As Node does it, whatever the types say: settings from JSON have numbers.
      args: args.map(String),
      env: textsOf({ ...getDefaultEnvironment(), ...env }),
      inherit: 'nothing',
      stderr: stderrOf(stderr),
      close_grace: GRACE_SECONDS,
      kill_grace: GRACE_SECONDS,
      ...(cwd !== undefined && { cwd }),
      ...(maxBufferSize !== undefined && { max_message_bytes: maxBufferSize }),
      ...(restart !== undefined && { restart: { max: restart.max, backoff: (restart.backoff ?? 0) / 1000 } }),
    };
  }

  /** The error for an answer that is longer than this client takes. */
  private tooLong({ data }: Failure): Error | undefined {
    if ((data as { bytes?: unknown } | undefined)?.bytes === undefined) return undefined;
    const { maxBufferSize = ENGINE_MAX_MESSAGE } = this._serverParams;
    return new Error(`ReadBuffer exceeded maximum size of ${maxBufferSize} bytes`);
  }

  private remark(kind: string, words: string): boolean {
    if (kind === 'stderr') {
      if (this._stderrStream !== null) keep(this._stderrStream, `${words}\n`);
      else writeTo(this._serverParams.stderr, words);
      return true;
    }
    if (this.#alone !== undefined) this.onerror?.(new Error(words));
    return false;
  }

  private ended(): void {
    this.#alone = this.#adopted = undefined;
    this.#pid = null;
    this._stderrStream?.end();
    this.onclose?.();
  }
}

/** The engine's `max_message_bytes`, where the program sets no limit: 64 MiB. */
const ENGINE_MAX_MESSAGE = 64 * 1024 * 1024;

const WRITTEN = written(StdioClientTransport, ['start', 'send', 'close']);

/** The environment variables that have a value, each as a text. */
function textsOf(env: Record<string, unknown>): Record<string, string> {
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

/** Buffers standard error for a reader, within a limit: the server never waits for one. */
function keep(stream: PassThrough, text: string): void {
  if (stream.readableLength + stream.writableLength < MAX_UNREAD) stream.write(text);
}

function isPiped(stderr: StdioServerParameters['stderr']): boolean {
  return stderr === 'pipe' || stderr === 'overlapped';
}

/**
 * Where standard error goes, as the engine expects it. Node closes its own descriptors in child
 * processes that others start, so an inherited one is passed as a path.
 */
function stderrOf(stderr: StdioServerParameters['stderr']): unknown {
  if (stderr === 'ignore') return 'null';
  const number = descriptorOf(stderr);
  return number !== undefined && canBeOpened(`/dev/fd/${number}`) ? { file: `/dev/fd/${number}` } : 'capture';
}

function descriptorOf(stderr: StdioServerParameters['stderr']): number | undefined {
  if (stderr === undefined || stderr === 'inherit') return 2;
  const number = typeof stderr === 'number' ? stderr : (stderr as { fd?: unknown }).fd;
  return typeof number === 'number' ? number : undefined;
}

/**
 * Whether a descriptor can be opened again by its path. Sockets cannot, and some systems have no
 * such paths. A file that is opened again has a position of its own: this process and the server
 * would overwrite each other's output.
 */
function canBeOpened(path: string): boolean {
  try {
    const opened = openSync(path, 'a');
    const isShared = !fstatSync(opened).isFile();
    closeSync(opened);
    return isShared;
  } catch {
    return false;
  }
}

/** Writes a line that the engine captured to the destination that the program chose. */
function writeTo(stderr: StdioServerParameters['stderr'], line: string): void {
  const stream = descriptorOf(stderr) === 2 ? process.stderr : stderr;
  if (typeof stream === 'object') (stream as { write?: (text: string) => void }).write?.(`${line}\n`);
  else if (typeof stream === 'number') writeSync(stream, `${line}\n`);
}

/** What the official message leaves out: which program it was, and what to do about it. */
function remedyFor(message: string, code: string, { command, cwd }: StdioServerParameters): string {
  if (code === 'EACCES') {
    return `${message}; make it executable, or start it by its interpreter: { command: 'node', args: [${JSON.stringify(command)}] }`;
  }
  if (command.includes('/') || cwd !== undefined) return `${message}; is the path right, seen from where it is started (cwd)?`;
  return `${message}; is it installed, and in the PATH of this process? Its full path works everywhere`;
}

/** Words a failed start as `child_process.spawn` does. */
function startError(message: string, server: StdioServerParameters): Error {
  const code = / not found/.test(message) ? 'ENOENT' : /os error 13/.test(message) ? 'EACCES' : undefined;
  if (code === undefined) return new Error(message);
  const error = new Error(`spawn ${server.command} ${code}`, { cause: causeOf(remedyFor(message, code, server)) });
  return Object.assign(error, {
    errno: -constants.errno[code],
    code,
    syscall: `spawn ${server.command}`,
    path: server.command,
    spawnargs: server.args ?? [],
  });
}
