// Tabs: one panel of several, with the keys that people expect.
//
// Owns: focus and roles. Must not know: what is in a panel.

import type { ComponentChildren } from 'preact';

export interface Tab<T extends string> {
  id: T;
  label: string;
  /** How many there are. */
  count?: number;
}

export function Tabs<T extends string>({ label, tabs, chosen, onChoose, name }: { label: string; tabs: Tab<T>[]; chosen: T; onChoose(id: T): void; name: string }) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next.id);
    document.getElementById(`${name}-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          type="button"
          role="tab"
          key={tab.id}
          id={`${name}-${tab.id}`}
          aria-selected={tab.id === chosen}
          aria-controls={`${name}-panel`}
          tabIndex={tab.id === chosen ? 0 : -1}
          onClick={() => onChoose(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span class="count">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}

export function Panel({ name, chosen, children }: { name: string; chosen: string; children: ComponentChildren }) {
  return <div class="panel" role="tabpanel" id={`${name}-panel`} aria-labelledby={`${name}-${chosen}`}>{children}</div>;
}
