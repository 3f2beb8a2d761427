/**
 * Servers that are programs: started here, spoken to over their standard streams.
 *
 * Owns: how a program is started, and the transport object. Must not know: sessions. The
 * process is the engine's, which ends it, and everything it started, in every case.
 */
import type { IOType } from 'node:child_process';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { PassThrough, type Stream } from 'node:stream';
import { AloneTransport } from '../internal/client-alone';
import { causeOf } from '../internal/cause';
import type { ClientConnection } from '../internal/client-connection';
import { isUntouched, REACH, tell, type Reach } from '../internal/client-reach';
import { failureOf } from '../internal/failure';
import { written } from '../internal/written';
import type { Transport } from '../shared/transport';
import type { JSONRPCMessage } from '../types';

/** How to start a server. */
export type StdioServerParameters = {
  /** The program to start. */
  command: string;
  /** The arguments of the program. */
  args?: string[];
  /** Its environment, beside `getDefaultEnvironment()`. */
  env?: Record<string, string>;
  /** Where its standard error goes, as in `child_process.spawn`; by default where ours goes. */
  stderr?: IOType | Stream | number;
  /** The program's working directory; by default that of this process. */
  cwd?: string;
  /** Longest message of the server in bytes; longer ones are skipped. 64 MiB by default. */
  maxBufferSize?: number;
  /**
   * How often in a row it is started again after it crashed, and how long to wait before,
   * in milliseconds. Never by default. What was listened to is listened to again; calls
   * that may have changed something fail.
   */
  restart?: { max: number; backoff?: number };
};

/** The environment variables a server inherits: only those that programs need to start. */
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

/** The values of those variables. What is a function of a shell is left out. */
export function getDefaultEnvironment(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of DEFAULT_INHERITED_ENV_VARS) {
    const value = process.env[name];
    if (value !== undefined && !value.startsWith('()')) found[name] = value;
  }
  return found;
}

/** How long a server may take to end after its input closed, and then after it was told to. */
const GRACE_SECONDS = 2;
/** Characters of standard error that wait for a reader; more are dropped. */
const MAX_UNREAD = 1 << 20;

/**
 * A server that is a program.
 *
 * @example
 * ```ts
 * const transport = new StdioClientTransport({ command: 'node', args: ['server.mjs'] });
 * await client.connect(transport);
 * ```
 */
export class StdioClientTransport implements Transport {
  /** Is told that the server is gone. */
  onclose?: () => void;
  /** Is told what goes wrong. */
  onerror?: (error: Error) => void;
  /** Is given what the server says. */
  onmessage?: (message: JSONRPCMessage) => void;
  // Under their official names: programs change where standard error goes before the start.
  private _serverParams: StdioServerParameters;
  private _stderrStream: PassThrough | null;
  #alone: AloneTransport | undefined;
  #adopted: ClientConnection | undefined;
  #pid: number | null = null;

  /** Makes a transport to this server, not yet started. */
  constructor(server: StdioServerParameters) {
    this._serverParams = server;
    this._stderrStream = isPiped(server.stderr) ? new PassThrough() : null;
  }

  /** Starts the program. A `Client` does it by itself. */
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

  /** Sends a message to the server. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#adopted !== undefined) return tell(this.#adopted, message, () => undefined);
    if (this.#alone === undefined) throw new Error('Not connected');
    this.#alone.send(message);
  }

  /** Ends the server: its input is closed, then it is told to end, then killed. */
  async close(): Promise<void> {
    await (this.#adopted ?? this.#alone)?.close();
  }

  /** What the server writes to its standard error, if `stderr` is `pipe` or `overlapped`; there before `start`. */
  get stderr(): Stream | null {
    return this._stderrStream;
  }

  /** The number of the process, while it runs. */
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
    };
  }

  private isStarted(): boolean {
    return this.#alone !== undefined || this.#adopted !== undefined;
  }

  private target(): object {
    const { command, args = [], env, cwd, maxBufferSize, restart, stderr } = this._serverParams;
    return {
      command,
      args,
      env: { ...getDefaultEnvironment(), ...env },
      inherit: 'nothing',
      stderr: stderrOf(stderr),
      close_grace: GRACE_SECONDS,
      kill_grace: GRACE_SECONDS,
      ...(cwd !== undefined && { cwd }),
      ...(maxBufferSize !== undefined && { max_message_bytes: maxBufferSize }),
      ...(restart !== undefined && { restart: { max: restart.max, backoff: (restart.backoff ?? 0) / 1000 } }),
    };
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

const WRITTEN = written(StdioClientTransport, ['start', 'send', 'close']);

/** Writes what may be read; a server never waits for readers. */
function keep(stream: PassThrough, text: string): void {
  if (stream.readableLength + stream.writableLength < MAX_UNREAD) stream.write(text);
}

function isPiped(stderr: StdioServerParameters['stderr']): boolean {
  return stderr === 'pipe' || stderr === 'overlapped';
}

/**
 * The engine's word for where standard error goes. Node closes its own descriptors in
 * programs that others start, so what is inherited is named.
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
 * Sockets cannot, and some systems have no such names. Who opens a file has a place of its
 * own in it: the program and its server would write over each other.
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

/** Writes a line that the engine captured to where the program wants it. */
function writeTo(stderr: StdioServerParameters['stderr'], line: string): void {
  const stream = descriptorOf(stderr) === 2 ? process.stderr : stderr;
  if (typeof stream === 'object') (stream as { write?: (text: string) => void }).write?.(`${line}\n`);
  else if (typeof stream === 'number') writeSync(stream, `${line}\n`);
}

/** What the official words leave out: which program, and what next. */
function remedyFor(message: string, code: string, { command, cwd }: StdioServerParameters): string {
  if (code === 'EACCES') {
    return `${message}; make it executable, or start it by its interpreter: { command: 'node', args: [${JSON.stringify(command)}] }`;
  }
  if (command.includes('/') || cwd !== undefined) return `${message}; is the path right, seen from where it is started (cwd)?`;
  return `${message}; is it installed, and in the PATH of this process? Its full path works everywhere`;
}

/** As `child_process.spawn` words what keeps a program from starting. */
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
