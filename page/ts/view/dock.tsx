// What goes on beside the calls: the wire, the log, the history of calls.
//
// Owns: these three lists. Must not know: what calls are made of.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { duration, size, type Json } from '../json';
import { copy, run, setLogLevel } from '../state/actions';
import { calls, go, known, log, logLevel, wire, type WireEntry } from '../state/store';
import { Panel, Tabs } from './tabs';
import { JsonView } from './values';

export type DockTab = 'wire' | 'log' | 'history';
export const dock = signal<DockTab>('wire');

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function Dock() {
  const tabs = [
    { id: 'wire' as const, label: 'Wire', count: wire.value.length },
    { id: 'log' as const, label: 'Log', count: log.value.length },
    { id: 'history' as const, label: 'History', count: calls.value.length },
  ];
  return (
    <aside class="dock" aria-label="What goes on">
      <Tabs label="What goes on" name="dock" tabs={tabs} chosen={dock.value} onChoose={(id) => (dock.value = id)} />
      <Panel name="dock" chosen={dock.value}>
        {dock.value === 'wire' && <Wire />}
        {dock.value === 'log' && <Log />}
        {dock.value === 'history' && <History />}
      </Panel>
    </aside>
  );
}

/** A list that stays at its end while one looks at the end. */
function Lines({ count, children, label }: { count: number; children: ComponentChildren; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const box = place.current;
    if (box && atEnd.current) box.scrollTop = box.scrollHeight;
  }, [count]);
  return (
    <div
      class="lines"
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={({ currentTarget: box }) => (atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40)}
    >
      {children}
    </div>
  );
}

function Wire() {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase();
  const shown = wire.value.filter((entry) => !words || JSON.stringify([entry.method, entry.message ?? entry.text]).toLowerCase().includes(words));
  return (
    <>
      <div class="bar">
        <input type="search" class="filter" aria-label="Filter the wire" placeholder="Filter" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <button type="button" class="small quiet" onClick={() => void copy(shown.map((entry) => JSON.stringify(entry.message ?? entry.text)).join('\n'))}>Copy</button>
        <button type="button" class="small quiet" onClick={() => (wire.value = [])}>Clear</button>
      </div>
      <Lines count={wire.value.length} label="Messages">
        {shown.map((entry) => <WireLine key={entry.number} entry={entry} />)}
        {shown.length === 0 && <p class="quiet none">No messages.</p>}
      </Lines>
    </>
  );
}

const WORDS: Record<WireEntry['what'], string> = { request: '', answer: 'answer', error: 'error', notification: 'notification', text: 'no JSON' };

function WireLine({ entry }: { entry: WireEntry }) {
  const [open, setOpen] = useState(false);
  const out = entry.direction === 'out';
  return (
    <div class={`wire-line ${entry.what}`}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class={out ? 'arrow out' : 'arrow in'}><span aria-hidden="true">{out ? '→' : '←'}</span><span class="unseen">{out ? 'sent' : 'received'}</span></span>
        <span class="wire-method">{entry.method ?? (entry.text ?? '').slice(0, 60)}</span>
        <span class="wire-what">{WORDS[entry.what]}</span>
        <span class="wire-numbers">{entry.took === undefined ? '' : duration(entry.took)}</span>
        <span class="wire-numbers">{size(entry.bytes)}</span>
        <time>{clock(entry.at)}</time>
      </button>
      {open && <JsonView value={(entry.message ?? entry.text ?? null) as Json} label="message" />}
    </div>
  );
}

function Log() {
  const may = known.value?.capabilities.logging !== undefined;
  return (
    <>
      {may && (
        <div class="bar">
          <label class="check">
            Level
            <select value={logLevel.value} onChange={(event) => void setLogLevel(event.currentTarget.value)}>
              <option value="">as the server has it</option>
              {LEVELS.map((level) => <option key={level}>{level}</option>)}
            </select>
          </label>
          <span class="space" />
          <button type="button" class="small quiet" onClick={() => (log.value = [])}>Clear</button>
        </div>
      )}
      <Lines count={log.value.length} label="Log">
        {log.value.map((entry) => (
          <div class="log-line" key={entry.number}>
            <span class={`level ${entry.level}`}>{entry.level}</span>
            <span class="log-words">{entry.logger && <b>{entry.logger} </b>}{typeof entry.data === 'string' ? entry.data : JSON.stringify(entry.data)}</span>
            <time>{clock(entry.at)}</time>
          </div>
        ))}
        {log.value.length === 0 && <p class="quiet none">The server has said nothing unasked.</p>}
      </Lines>
    </>
  );
}

function History() {
  return (
    <Lines count={0} label="Calls">
      {calls.value.toReversed().map((call) => {
        const failed = call.error !== undefined || (call.result as { isError?: boolean } | undefined)?.isError === true;
        const verdict = call.took === undefined ? 'running' : failed ? 'failed' : 'done';
        return (
          <div class="history-line" key={call.number}>
            <button type="button" class="link" onClick={() => go(call.item.kind, call.item.id)}>
              <span class={`dot ${verdict}`} aria-hidden="true" />
              <span class="wire-method">{call.item.id}</span>
              <span class="unseen">{verdict}</span>
            </button>
            <code class="args">{call.params.arguments === undefined ? '' : JSON.stringify(call.params.arguments)}</code>
            <span class="wire-numbers">{call.took === undefined ? '…' : duration(call.took)}</span>
            <time>{clock(call.began)}</time>
            <button
              type="button"
              class="small"
              aria-label={`Run ${call.item.id} again`}
              onClick={() => {
                go(call.item.kind, call.item.id);
                void run(call.item, call.method, call.params);
              }}
            >
              Again
            </button>
          </div>
        );
      })}
      {calls.value.length === 0 && <p class="quiet none">Nothing was called yet.</p>}
    </Lines>
  );
}

/** The time of the day, with milliseconds. */
function clock(at: number): string {
  const time = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(Math.floor(at % 1000)).padStart(3, '0')}`;
}
