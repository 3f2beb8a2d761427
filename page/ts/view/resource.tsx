// A resource or a template: reading it, and hearing of its changes.
//
// Owns: the form of a template's variables. Must not know: how calls are made.

import { useState } from 'preact/hooks';
import { isObject, size, text, type JsonObject } from '../json';
import { expand, variables } from '../schema/template';
import { complete, run, subscribe } from '../state/actions';
import { known, subscribed, type Item } from '../state/store';
import { LastCall } from './call';
import { Code } from './code';
import { Field } from './field';
import { Heading } from './items';

const WORDS = { type: 'string' };

export function Resource({ item }: { item: Item }) {
  const [first] = useState(() => item.id);
  const bytes = typeof item.raw.size === 'number' ? size(item.raw.size) : undefined;
  return (
    <>
      <Heading item={item}>
        {text(item.raw, 'mimeType') && <span class="chip">{text(item.raw, 'mimeType')}</span>}
        {bytes && <span class="chip">{bytes}</span>}
      </Heading>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(item, 'resources/read', { uri: item.id });
        }}
      >
        <div class="buttons">
          <button type="submit" class="main">Read</button>
          <Subscribe uri={item.id} />
        </div>
      </form>
      <LastCall kind="resource" id={first} />
      <Code request={{ method: 'resources/read', name: item.id, given: {} }} />
    </>
  );
}

function Subscribe({ uri }: { uri: string }) {
  const may = known.value?.capabilities.resources;
  if (!isObject(may) || may.subscribe !== true) return null;
  const on = subscribed.value.has(uri);
  return <button type="button" aria-pressed={on} onClick={() => void subscribe(uri, !on)}>{on ? 'Unsubscribe' : 'Subscribe'}</button>;
}

export function Template({ item }: { item: Item }) {
  const [values, setValues] = useState<JsonObject>({});
  const uri = expand(item.id, values);
  return (
    <>
      <Heading item={item}>{text(item.raw, 'mimeType') && <span class="chip">{text(item.raw, 'mimeType')}</span>}</Heading>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(item, 'resources/read', { uri });
        }}
      >
        {variables(item.id).map((name) => (
          <Field
            key={name}
            name={name}
            schema={WORDS}
            root={WORDS}
            required={false}
            value={values[name]}
            onChange={(next) => {
              const { [name]: _, ...others } = values;
              setValues(next === undefined ? others : { ...others, [name]: next });
            }}
            path={`/${name}`}
            problems={new Map()}
            suggest={(typed) => {
              const { [name]: _, ...others } = values;
              return complete({ type: 'ref/resource', uri: item.id }, name, typed, others);
            }}
          />
        ))}
        <p class="quiet">Reads <code>{uri}</code></p>
        <div class="buttons">
          <button type="submit" class="main">Read</button>
          <Subscribe uri={uri} />
        </div>
      </form>
      <LastCall kind="template" id={item.id} />
      <Code request={{ method: 'resources/read', name: uri, given: {} }} />
    </>
  );
}
