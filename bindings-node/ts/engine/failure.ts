/**
 * Failures below the boundary, as data. Owns: the table of kinds, and reading errors that the addon
 * throws. Must not know: the error classes of the faces.
 */
import { native } from './native';

/** An error as it crosses the boundary. */
export interface Failure {
  /** The kind of failure, e.g. `timeout`. */
  kind: string;
  /** The JSON-RPC error code. */
  code: number;
  message: string;
  data?: unknown;
}

/** An error of a service whose data comes back in the failure that it leads to. */
export class ServiceError extends Error {
  constructor(
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** The names of a kind of failure in other places. */
export interface KindRow {
  name: string;
  /** The code that 1.x shows for it, if it differs from the one on the wire. */
  shownCode: number | null;
  /** Whether the failure occurs on this side, not at the peer. */
  local: boolean;
  /** The member of `ErrorCode` in 1.x; empty if there is none. */
  v1: string;
  /** The member of `ProtocolErrorCode` in 2.x, or for local failures the value of `SdkErrorCode`. */
  v2: string;
}

let rows: Map<string, KindRow> | undefined;

/** The row of a kind; `undefined` if it is unknown. */
export function kindRow(kind: string): KindRow | undefined {
  if (rows === undefined) {
    const table = JSON.parse(native.errorNames()) as [string, number | null, boolean, string, string][];
    rows = new Map(
      table.map(([name, shownCode, local, v1, v2]) => [name, { name, shownCode, local, v1, v2 }]),
    );
  }
  return rows.get(kind);
}

/** The failure in an error that the addon threw; `undefined` for other errors. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'MCPBOLT') return undefined;
  return JSON.parse(error.message) as Failure;
}
