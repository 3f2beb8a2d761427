// The page as a whole: its head, its sections, what goes on beside them, its keys.
//
// Owns: where things stand, and shortcuts. Must not know: what is in a section.

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { host, known, lists, said, section, session, type Section } from '../state/store';
import { Dock, dock } from './dock';
import { Items } from './items';
import { Prompt } from './prompt';
import { Questions } from './question';
import { Resource, Template } from './resource';
import { Screen } from './screens';
import { Server } from './server';
import { Panel, Tabs } from './tabs';
import { theme, turn } from './theme';
import { Tool } from './tool';

const help = signal(false);
/** Keys that do something by themselves; they can be switched off for those who dictate. */
const single = signal(localStorage.getItem('mcpbolt-keys') !== 'off');

const KEYS: [key: string, what: string, does: () => void][] = [
  ['/', 'Filter the list', () => document.querySelector<HTMLElement>('main .filter')?.focus()],
  ['t', 'Tools', () => (section.value = 'tools')],
  ['r', 'Resources', () => (section.value = 'resources')],
  ['p', 'Prompts', () => (section.value = 'prompts')],
  ['s', 'Server', () => (section.value = 'server')],
  ['w', 'Wire', () => (dock.value = 'wire')],
  ['l', 'Log', () => (dock.value = 'log')],
  ['h', 'History', () => (dock.value = 'history')],
  ['?', 'These keys', () => (help.value = true)],
];

export function Shell() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || at.closest('input, textarea, select, dialog')) return;
      const found = single.value ? KEYS.find(([key]) => key === event.key) : undefined;
      if (!found) return;
      event.preventDefault();
      found[2]();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const ready = session.value?.state === 'ready' && host.value !== 'refused';
  return (
    <>
      <Head ready={ready} />
      {ready ? <Sections /> : <Screen />}
      {ready && <Dock />}
      <Questions />
      {help.value && <Help />}
      <p class="said" role="status">{said.value}</p>
    </>
  );
}

function Head({ ready }: { ready: boolean }) {
  const info = known.value?.serverInfo;
  const { tool, resource, template, prompt } = lists.value;
  const tabs = [
    { id: 'tools' as const, label: 'Tools', count: tool.length },
    { id: 'resources' as const, label: 'Resources', count: resource.length + template.length },
    { id: 'prompts' as const, label: 'Prompts', count: prompt.length },
    { id: 'server' as const, label: 'Server' },
  ];
  const state = host.value === 'lost' ? 'lost' : (session.value?.state ?? 'connecting');
  return (
    <header class="head">
      <p class="name">
        <span class={`dot ${state}`} aria-hidden="true" />
        <b>{info?.title ?? info?.name ?? 'mcpbolt'}</b>
        {info && <span class="quiet">{info.version}</span>}
        <span class="unseen">{state}</span>
        {known.value && <span class="chip">{known.value.protocolVersion}</span>}
      </p>
      {ready && <Tabs<Section> label="Sections" name="section" tabs={tabs} chosen={section.value} onChoose={(id) => (section.value = id)} />}
      <span class="space" />
      <button type="button" class="quiet small" onClick={turn} aria-label={`Colours: ${theme.value}. Change them`}>{{ system: '◐', light: '☀', dark: '☾' }[theme.value]}</button>
      <button type="button" class="quiet small" onClick={() => (help.value = true)} aria-label="Keys">?</button>
    </header>
  );
}

function Sections() {
  return (
    <main>
      <Panel name="section" chosen={section.value}>
        {section.value === 'tools' && <Items section="tools" kinds={['tool']} show={(item) => <Tool item={item} />} />}
        {section.value === 'resources' && <Items section="resources" kinds={['resource', 'template']} show={(item) => (item.kind === 'resource' ? <Resource item={item} /> : <Template item={item} />)} />}
        {section.value === 'prompts' && <Items section="prompts" kinds={['prompt']} show={(item) => <Prompt item={item} />} />}
        {section.value === 'server' && <Server />}
      </Panel>
    </main>
  );
}

function Help() {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => place.current?.showModal(), []);
  const set = (on: boolean) => {
    single.value = on;
    localStorage.setItem('mcpbolt-keys', on ? 'on' : 'off');
  };
  return (
    <dialog ref={place} aria-labelledby="help" onClose={() => (help.value = false)}>
      <h2 id="help">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}
        <div><dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>Through a list</dd></div>
        <div><dt><kbd>Ctrl</kbd> <kbd>Enter</kbd></dt><dd>Send the form</dd></div>
        <div><dt><kbd>Esc</kbd></dt><dd>Cancel a question</dd></div>
      </dl>
      <label class="check"><input type="checkbox" checked={single.value} onChange={(event) => set(event.currentTarget.checked)} /> Single letters are keys</label>
      <div class="buttons"><button type="button" class="main" onClick={() => place.current?.close()}>Close</button></div>
    </dialog>
  );
}
