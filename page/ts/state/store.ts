// What the page knows, as signals: views read them, actions change them.
//
// Owns: the session, lists, the wire, calls, questions. Must not know: how any of it is shown.

import { batch, computed, signal } from '@preact/signals';
import type { Frame, Known, Progress, Question, Refused, Root, State } from '../client/channel';
import type { Json, JsonObject } from '../json';

/** Most messages of the wire that are shown. */
const WIRE = 2000;
const LOG = 1000;
const CALLS = 200;

export type Section = 'tools' | 'resources' | 'prompts' | 'server';
export type Kind = 'tool' | 'resource' | 'template' | 'prompt';

/** An entry of a list of the server, as it came. */
export interface Item {
  kind: Kind;
  /** Its name, or its URI. */
  id: string;
  title: string;
  description?: string;
  raw: JsonObject;
}

/** A message on the wire, with what was found out about it. */
export interface WireEntry extends Frame {
  number: number;
  bytes: number;
  /** The method, also of an answer. */
  method?: string;
  what: 'request' | 'answer' | 'error' | 'notification' | 'text';
  /** From the request to this answer, in milliseconds. */
  took?: number;
}

export interface LogEntry {
  number: number;
  at: number;
  level: string;
  logger?: string;
  data: Json;
}

/** A request that the person made. */
export interface Call {
  number: number;
  item: Item;
  method: string;
  params: JsonObject;
  began: number;
  took?: number;
  progress: Progress[];
  result?: Json;
  error?: Refused;
  stop: AbortController;
}

export const host = signal<'opening' | 'there' | 'lost' | 'refused'>('opening');
export const session = signal<State | null>(null);
export const known = computed<Known | undefined>(() => session.value?.server);
export const roots = computed<Root[]>(() => session.value?.roots ?? []);

export const lists = signal<Record<Kind, Item[]>>({ tool: [], resource: [], template: [], prompt: [] });
/** Why a list could not be had. */
export const listFailures = signal<Partial<Record<Kind, string>>>({});
export const loading = signal(false);
/** Resources that the server tells changes of. */
export const subscribed = signal<ReadonlySet<string>>(new Set());

export const wire = signal<WireEntry[]>([]);
export const log = signal<LogEntry[]>([]);
export const calls = signal<Call[]>([]);
export const questions = signal<Question[]>([]);
export const logLevel = signal('');

export const section = signal<Section>('tools');
export const selected = signal<Partial<Record<Section, string>>>({});
/** What is said once, such as that something was copied. */
export const said = signal('');

let numbers = 0;
const requests = new Map<string, { at: number; method: string }>();

export function next(): number {
  numbers += 1;
  return numbers;
}

/** Adds a message of the wire. */
export function addFrame(frame: Frame): WireEntry {
  const { message } = frame;
  const entry: WireEntry = { ...frame, number: next(), bytes: JSON.stringify(message ?? frame.text ?? '').length, what: 'text' };
  const id = message?.id;
  const method = typeof message?.method === 'string' ? message.method : undefined;
  if (method !== undefined) {
    entry.method = method;
    entry.what = id === undefined ? 'notification' : 'request';
    if (id !== undefined) requests.set(`${frame.direction} ${JSON.stringify(id)}`, { at: frame.at, method });
  } else if (message) {
    // An answer goes the other way than its request.
    const key = `${frame.direction === 'in' ? 'out' : 'in'} ${JSON.stringify(id)}`;
    const request = requests.get(key);
    requests.delete(key);
    entry.method = request?.method;
    entry.took = request && frame.at - request.at;
    entry.what = message.error === undefined ? 'answer' : 'error';
  }
  wire.value = [...wire.value.slice(-(WIRE - 1)), entry];
  return entry;
}

export function addLog(entry: Omit<LogEntry, 'number'>): void {
  log.value = [...log.value.slice(-(LOG - 1)), { ...entry, number: next() }];
}

export function addCall(call: Call): void {
  calls.value = [...calls.value.slice(-(CALLS - 1)), call];
}

export function changeCall(number: number, change: Partial<Call>): void {
  calls.value = calls.value.map((call) => (call.number === number ? { ...call, ...change } : call));
}

/** Goes to an entry of a list. */
export function go(kind: Kind, id: string): void {
  const to: Section = kind === 'tool' ? 'tools' : kind === 'prompt' ? 'prompts' : 'resources';
  batch(() => {
    section.value = to;
    selected.value = { ...selected.value, [to]: key(kind, id) };
  });
}

/** What an entry is called among those of its section. */
export function key(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}
