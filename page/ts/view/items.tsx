// The list of a section, and the entry that is chosen.
//
// Owns: the filter, the keys of a list, which entry is shown. Must not know: what an entry can do.

import { useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { key, lists, listFailures, loading, selected, type Item, type Kind, type Section } from '../state/store';

const NAMES: Record<Kind, string> = { tool: 'Tools', resource: 'Resources', template: 'Templates', prompt: 'Prompts' };

export function Items({ section, kinds, show }: { section: Section; kinds: Kind[]; show(item: Item): ComponentChildren }) {
  const [filter, setFilter] = useState('');
  const rows = useRef<HTMLDivElement>(null);
  const words = filter.toLowerCase();
  const fits = (item: Item) => `${item.id} ${item.title} ${item.description ?? ''}`.toLowerCase().includes(words);
  const all = kinds.flatMap((kind) => lists.value[kind]);
  const found = all.filter(fits);
  const chosen = all.find((item) => key(item.kind, item.id) === selected.value[section]);
  const choose = (item: Item | undefined) => (selected.value = { ...selected.value, [section]: item && key(item.kind, item.id) });
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>('.item') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div class={chosen ? 'items chosen' : 'items'} onKeyDown={move}>
      <div class="rows" ref={rows}>
        <input class="filter" type="search" aria-label={`Filter ${section}`} placeholder="Filter  /" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        {kinds.map((kind) => {
          const some = found.filter((item) => item.kind === kind);
          const failure = listFailures.value[kind];
          return (
            <div key={kind}>
              {kinds.length > 1 && (some.length > 0 || failure) && <h2 class="kind">{NAMES[kind]}</h2>}
              {failure && <p class="problem">{failure}</p>}
              {some.map((item) => (
                <button
                  type="button"
                  class="item"
                  key={item.id}
                  aria-current={item === chosen ? 'true' : undefined}
                  onClick={() => choose(item)}
                >
                  <span class="item-title">{item.kind === 'tool' || item.kind === 'prompt' ? item.id : item.title}</span>
                  <span class="item-about">{item.description ?? (item.title === item.id ? '' : item.id)}</span>
                </button>
              ))}
            </div>
          );
        })}
        {all.length === 0 && <p class="quiet none">{loading.value ? 'Loading…' : `The server has no ${section}.`}</p>}
        {all.length > 0 && found.length === 0 && <p class="quiet none">Nothing fits “{filter}”.</p>}
      </div>
      <article class="detail">
        {chosen ? (
          <>
            <button type="button" class="back small" onClick={() => choose(undefined)}>← All {section}</button>
            <div key={key(chosen.kind, chosen.id)}>{show(chosen)}</div>
          </>
        ) : (
          all.length > 0 && <p class="quiet none">Choose one of {all.length}.</p>
        )}
      </article>
    </div>
  );
}

/** What is said of an entry before what it can do. */
export function Heading({ item, children }: { item: Item; children?: ComponentChildren }) {
  return (
    <header class="heading">
      <h1>{item.title}</h1>
      <p>
        {item.title !== item.id && <code>{item.id}</code>}
        {children}
      </p>
      {item.description && <p class="about">{item.description}</p>}
    </header>
  );
}
