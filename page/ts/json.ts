// JSON as types, and small questions to it.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member if it is a text. */
export function text(value: Json | undefined, name: string): string | undefined {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The member if it is an object. */
export function object(value: Json | undefined, name: string): JsonObject | undefined {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : undefined;
}

/** The member if it is a list. */
export function list(value: Json | undefined, name: string): Json[] | undefined {
  const found = isObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : undefined;
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Bytes for people. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Milliseconds for people. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
