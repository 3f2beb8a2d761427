// What a person can do, and what happens meanwhile.
//
// Owns: which requests are made when. Must not know: how messages travel, how anything is shown.

import { batch } from '@preact/signals';
import { Refused, type Channel, type Question, type Root } from '../client/channel';
import { isObject, list, object, text, type JsonObject } from '../json';
import * as store from './store';
import type { Item, Kind } from './store';

/** Where the level of the log stands in requests of revisions without a handshake. */
const LEVEL = 'io.modelcontextprotocol/logLevel';
/** Most pages of a list. */
const PAGES = 100;

const LISTS: Record<Kind, { method: string; member: string; capability: string; id: string }> = {
  tool: { method: 'tools/list', member: 'tools', capability: 'tools', id: 'name' },
  resource: { method: 'resources/list', member: 'resources', capability: 'resources', id: 'uri' },
  template: { method: 'resources/templates/list', member: 'resourceTemplates', capability: 'resources', id: 'uriTemplate' },
  prompt: { method: 'prompts/list', member: 'prompts', capability: 'prompts', id: 'name' },
};

const CHANGES: Record<string, Kind[]> = {
  'notifications/tools/list_changed': ['tool'],
  'notifications/resources/list_changed': ['resource', 'template'],
  'notifications/prompts/list_changed': ['prompt'],
};

let channel: Channel;

/** Listens to a channel from now on. */
export function start(to: Channel): void {
  channel = to;
  channel.open({
    host: (host) => (store.host.value = host),
    problem: (message) => store.addLog({ at: Date.now(), level: 'problem', data: message }),
    question: (question) => {
      const others = store.questions.value.filter(({ id }) => id !== question.id);
      store.questions.value = [...others, question];
    },
    settled: (id) => (store.questions.value = store.questions.value.filter((question) => question.id !== id)),
    state: (state) => {
      const before = store.session.value?.state;
      store.session.value = state;
      if (state.state === 'ready' && before !== 'ready') void loadAll();
      if (state.state !== 'ready') store.questions.value = [];
    },
    frame: (frame) => {
      const entry = store.addFrame(frame);
      if (frame.direction === 'in' && entry.what === 'notification') hear(entry.method ?? '', frame.message ?? {}, frame.at);
    },
  });
}

function hear(method: string, message: JsonObject, at: number): void {
  const params = object(message, 'params') ?? {};
  if (method === 'notifications/message') {
    store.addLog({ at, level: text(params, 'level') ?? 'info', logger: text(params, 'logger'), data: params.data ?? null });
  } else if (method === 'notifications/resources/updated') {
    store.addLog({ at, level: 'change', logger: 'resource', data: `${text(params, 'uri')} changed` });
  }
  const kinds = CHANGES[method];
  if (!kinds) return;
  store.addLog({ at, level: 'change', logger: 'list', data: `the list of ${kinds[0]}s changed` });
  // What happened before this page was opened is in the lists already.
  if (store.session.value?.state === 'ready' && !store.loading.value) for (const kind of kinds) void load(kind);
}

async function loadAll(): Promise<void> {
  store.loading.value = true;
  await Promise.all((Object.keys(LISTS) as Kind[]).map(load));
  store.loading.value = false;
}

async function load(kind: Kind): Promise<void> {
  const { method, member, capability, id } = LISTS[kind];
  const items: Item[] = [];
  let failure: string | undefined;
  if (store.known.value?.capabilities[capability] !== undefined) {
    try {
      let cursor: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const result = await channel.request(method, cursor === undefined ? {} : { cursor });
        for (const raw of list(result, member) ?? []) if (isObject(raw)) items.push(item(kind, raw, id));
        cursor = text(result, 'nextCursor');
        if (!cursor) break;
      }
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  batch(() => {
    store.lists.value = { ...store.lists.value, [kind]: items };
    store.listFailures.value = { ...store.listFailures.value, [kind]: failure };
  });
}

function item(kind: Kind, raw: JsonObject, id: string): Item {
  const title = text(raw, 'title') ?? text(object(raw, 'annotations'), 'title') ?? text(raw, 'name');
  return { kind, id: text(raw, id) ?? '', title: title ?? text(raw, id) ?? '', description: text(raw, 'description'), raw };
}

/** Makes a request of an entry, and keeps it among the calls. */
export async function run(of: Item, method: string, given: JsonObject): Promise<void> {
  const stop = new AbortController();
  const number = store.next();
  const began = Date.now();
  const clock = performance.now();
  store.addCall({ number, item: of, method, params: given, began, progress: [], stop });
  const level = store.logLevel.value;
  const params = level && !store.known.value?.handshake ? { ...given, _meta: { [LEVEL]: level } } : given;
  const took = () => performance.now() - clock;
  try {
    const result = await channel.request(method, params, {
      signal: stop.signal,
      onProgress: (progress) => {
        const call = store.calls.value.find((one) => one.number === number);
        store.changeCall(number, { progress: [...(call?.progress ?? []), progress] });
      },
    });
    store.changeCall(number, { result, took: took() });
  } catch (error) {
    const refused = error instanceof Refused ? error : new Refused(0, String(error), undefined, 'Internal', true);
    store.changeCall(number, { error: refused, took: took() });
  }
}

/** What the server suggests for an argument; nothing where it has no completions. */
export async function complete(ref: JsonObject, name: string, value: string, others: JsonObject): Promise<string[]> {
  if (store.known.value?.capabilities.completions === undefined) return [];
  try {
    const context: JsonObject = Object.keys(others).length > 0 ? { context: { arguments: others } } : {};
    const result = await channel.request('completion/complete', { ref, argument: { name, value }, ...context });
    return (list(object(result, 'completion'), 'values') ?? []).filter((one): one is string => typeof one === 'string');
  } catch {
    return [];
  }
}

export async function subscribe(uri: string, on: boolean): Promise<void> {
  try {
    await channel.request(on ? 'resources/subscribe' : 'resources/unsubscribe', { uri });
    const now = new Set(store.subscribed.value);
    if (on) now.add(uri);
    else now.delete(uri);
    store.subscribed.value = now;
  } catch (error) {
    say((error as Error).message);
  }
}

/** Milliseconds until the server gave a sign of life, or why it did not. */
export async function ping(): Promise<number | string> {
  const began = performance.now();
  try {
    await channel.request('ping', {});
    return performance.now() - began;
  } catch (error) {
    return (error as Error).message;
  }
}

export async function setLogLevel(level: string): Promise<void> {
  store.logLevel.value = level;
  if (!level || !store.known.value?.handshake) return;
  await channel.request('logging/setLevel', { level }).catch((error: Error) => say(error.message));
}

export function answer(question: Question, result: JsonObject | null): void {
  store.questions.value = store.questions.value.filter(({ id }) => id !== question.id);
  channel.answer(question.id, result);
}

export function setRoots(roots: Root[]): void {
  channel.setRoots(roots);
}

export function reconnect(token?: string): void {
  batch(() => {
    store.subscribed.value = new Set();
    store.questions.value = [];
  });
  channel.connect(token);
}

let silence: ReturnType<typeof setTimeout> | undefined;

/** Says something once, also to those who do not see it. */
export function say(words: string): void {
  store.said.value = words;
  clearTimeout(silence);
  silence = setTimeout(() => (store.said.value = ''), 4000);
}

export async function copy(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    say('Copied');
  } catch {
    say('The browser does not let this page copy');
  }
}
