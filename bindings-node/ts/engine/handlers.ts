/**
 * Handlers by method. Owns: their stored form, and noticing that a program changed them in any way.
 * Must not know: what is done about it.
 */

/** A handler in its stored form: receives the whole request. */
export type RequestHandler = (request: any, extra: any) => unknown;
/** A notification handler in its stored form. */
export type NotificationHandler = (notification: any, about?: any) => unknown;

/** Marks handlers that read only method and params. */
export const PLAIN: unique symbol = Symbol('mcpbolt.plain');
/** A handler that may be marked. */
export type MarkedHandler = RequestHandler & { [PLAIN]?: boolean };

/** A map that reports its changes. */
export class HandlerTable<Handler> extends Map<string, Handler> {
  #changed: ((method: string) => void) | undefined;

  /** Calls `changed` with each method that is set or deleted from now on. */
  watch(changed: (method: string) => void): void {
    this.#changed = changed;
  }

  override set(method: string, handler: Handler): this {
    super.set(method, handler);
    this.#changed?.(method);
    return this;
  }

  override delete(method: string): boolean {
    const known = super.delete(method);
    if (known) this.#changed?.(method);
    return known;
  }

  override clear(): void {
    const methods = [...this.keys()];
    super.clear();
    for (const method of methods) this.#changed?.(method);
  }
}

/** Whether what a handler returned is not its result yet. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
