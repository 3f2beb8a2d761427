/**
 * What goes wrong below the boundary, as data. Owns: the table of kinds, and reading what
 * the addon throws. Must not know: the classes that faces make of it.
 */
import { native } from './native';

/** An error as it crosses the boundary. */
export interface Failure {
  /** Name of the kind, e.g. `timeout`. */
  kind: string;
  /** JSON-RPC code. */
  code: number;
  message: string;
  data?: unknown;
}

/** What a kind is called elsewhere. */
export interface KindRow {
  name: string;
  /** The code 1.x shows for it, where that is not the wire's. */
  shownCode: number | null;
  /** Whether it arose here and not at the peer. */
  local: boolean;
  /** Member of the 1.x `ErrorCode`; empty if none. */
  v1: string;
  /** Member of the 2.x `ProtocolErrorCode`, or text of `SdkErrorCode` for local ones. */
  v2: string;
}

let rows: Map<string, KindRow> | undefined;

/** The row of a kind. */
export function kindRow(kind: string): KindRow | undefined {
  if (rows === undefined) {
    const table = JSON.parse(native.errorNames()) as [string, number | null, boolean, string, string][];
    rows = new Map(
      table.map(([name, shownCode, local, v1, v2]) => [name, { name, shownCode, local, v1, v2 }]),
    );
  }
  return rows.get(kind);
}

/** The failure in what the addon threw; anything else is not ours. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'MCPBOLT') return undefined;
  return JSON.parse(error.message) as Failure;
}
