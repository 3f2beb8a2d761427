/**
 * Whether requests of `fetch` go the way that Node gives them.
 *
 * Owns: recognizing Node's own `fetch` and its dispatcher. Must not know: who sends requests in
 * their place.
 */
import { isDeepStrictEqual, types } from 'node:util';

/**
 * The engine's option for the proxy. Node's own `fetch` does not read `HTTP_PROXY` and the like;
 * where it was told to (`NODE_USE_ENV_PROXY`), it has another dispatcher than usual.
 */
export const NO_PROXY = 'off';

/** The `fetch` of runtimes whose own one cannot be told by its text, if no program was faster. */
const firstFetch = globalThis.fetch;
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
/** What Node's `fetch` loads when it is first called, and where that is seen in stack traces. */
const INSIDE_NODE = /internal\/deps\/undici\/undici/;
/** Members of an agent that say which options it was made with. */
const MADE_WITH = new Set(['options', 'factory']);

/** Node's own dispatcher, once it was seen. */
let known: object | undefined;

/**
 * Whether a program replaced `fetch` or its dispatcher, or the environment changes which
 * certificates it trusts. Requests must then not bypass it.
 */
export function isFetchReplaced(): boolean {
  return !isOwnFetch(globalThis.fetch) || !isOwnDispatcher() || process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
}

/** By its text, because a program may have replaced `fetch` before it imported this package. */
function isOwnFetch(fetch: unknown): boolean {
  if (process.versions['bun'] !== undefined || process.versions['deno'] !== undefined) return fetch === firstFetch;
  return typeof fetch === 'function' && INSIDE_NODE.test(Function.prototype.toString.call(fetch));
}

function isOwnDispatcher(): boolean {
  const dispatcher = (globalThis as Record<symbol, unknown>)[DISPATCHER] as object | undefined;
  // Node makes its own when `fetch` is first called.
  if (dispatcher === undefined || dispatcher === known) return true;
  if (!isUsualAgent(dispatcher)) return false;
  known = dispatcher;
  return true;
}

/** Whether a dispatcher is an agent of Node's own class, made with the usual options. */
function isUsualAgent(dispatcher: object): boolean {
  const Agent = dispatcher.constructor as new (options?: object) => object;
  if (types.isProxy(dispatcher) || Agent.name !== 'Agent' || !isNodes(Agent)) return false;
  return isDeepStrictEqual(optionsOf(dispatcher), optionsOf(new Agent()));
}

/** Whether Node has the class: another one of that name is refused the same options elsewhere. */
function isNodes(Agent: new (options: object) => object): boolean {
  try {
    new Agent({ factory: 'none' });
    return false;
  } catch (error) {
    const [, thrower = ''] = String((error as Error).stack).split('\n    at ');
    return INSIDE_NODE.test(thrower);
  }
}

function optionsOf(agent: object): unknown[] {
  const members = Object.getOwnPropertySymbols(agent).filter(({ description = '' }) => MADE_WITH.has(description));
  return members.map((member) => (agent as Record<symbol, unknown>)[member]);
}
