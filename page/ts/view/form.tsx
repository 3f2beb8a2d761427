// A form for the arguments of a tool or a prompt, or for a question of the server.
//
// Owns: form or JSON, what is wrong and when that is said, how it is sent. Must not know: where to.

import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Json, JsonObject } from '../json';
import { isObject } from '../json';
import { shape } from '../schema/shape';
import { initial, problems } from '../schema/value';
import { Field, Members } from './field';
import { JsonField } from './json-field';

interface FormProps {
  schema: JsonObject;
  /** Where it begins, in place of the schema's defaults. */
  first?: JsonObject;
  send: string;
  onSend(value: JsonObject): void;
  onChange?(value: JsonObject): void;
  /** More buttons. */
  children?: ComponentChildren;
}

export function Form({ schema, first, send, onSend, onChange, children }: FormProps) {
  const [value, setValue] = useState<Json | undefined>(() => first ?? initial(schema, schema, true) ?? {});
  const [asJson, setAsJson] = useState(false);
  const [tried, setTried] = useState(false);
  const of = shape(schema, schema);
  const empty = of.kind === 'json' && !schema.additionalProperties && !schema.patternProperties;
  const found = asJson ? new Map<string, string>() : problems(value, schema, schema);
  const change = (next: Json | undefined) => {
    setValue(next);
    if (isObject(next)) onChange?.(next);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (found.size === 0) return onSend(isObject(value) ? value : {});
    const form = event.currentTarget as HTMLFormElement;
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
      }}
    >
      {asJson ? (
        <JsonField value={value} onChange={change} rows={10} label="Arguments as JSON" />
      ) : of.kind === 'object' ? (
        <Members name="" schema={schema} root={schema} required value={value} onChange={change} path="" problems={tried ? found : new Map()} of={of} />
      ) : empty && isObject(value) && Object.keys(value).length === 0 ? (
        <p class="quiet">No arguments.</p>
      ) : (
        <Field name="arguments" schema={schema} root={schema} required value={value} onChange={change} path="" problems={tried ? found : new Map()} />
      )}
      {tried && found.size > 0 && <p class="problem" role="alert">Not sent: {[...found].map(([path, why]) => `${path.slice(1).replaceAll('/', '.') || 'this'} ${why}`).join('; ')}.</p>}
      <div class="buttons">
        <button type="submit" class="main">{send}</button>
        {children}
        <span class="space" />
        <button type="button" class="quiet" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>JSON</button>
      </div>
    </form>
  );
}
