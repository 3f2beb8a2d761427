// A prompt: its arguments, and the messages it makes.
//
// Owns: arguments as fields. Must not know: how calls are made.

import { useState } from 'preact/hooks';
import { list, text, type JsonObject } from '../json';
import { complete, run } from '../state/actions';
import { type Item } from '../state/store';
import { LastCall } from './call';
import { Code } from './code';
import { Field } from './field';
import { Heading } from './items';

export function Prompt({ item }: { item: Item }) {
  const [values, setValues] = useState<JsonObject>({});
  const [tried, setTried] = useState(false);
  const fields = list(item.raw, 'arguments') ?? [];
  const missing = new Map<string, string>();
  for (const field of fields) {
    const name = text(field, 'name') ?? '';
    if (typeof field === 'object' && field !== null && 'required' in field && field.required === true && !values[name]) missing.set(`/${name}`, 'is required');
  }
  return (
    <>
      <Heading item={item} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (missing.size === 0) void run(item, 'prompts/get', { name: item.id, arguments: values });
        }}
      >
        {fields.map((field) => {
          const name = text(field, 'name') ?? '';
          const schema: JsonObject = { type: 'string', description: text(field, 'description') ?? '' };
          const required = typeof field === 'object' && field !== null && 'required' in field && field.required === true;
          const { [name]: held, ...others } = values;
          return (
            <Field
              key={name}
              name={name}
              schema={schema}
              root={schema}
              required={required}
              value={held}
              onChange={(next) => setValues(next === undefined || next === '' ? others : { ...others, [name]: next })}
              path={`/${name}`}
              problems={tried ? missing : new Map()}
              suggest={(typed) => complete({ type: 'ref/prompt', name: item.id }, name, typed, others)}
            />
          );
        })}
        {fields.length === 0 && <p class="quiet">No arguments.</p>}
        <div class="buttons"><button type="submit" class="main">Get</button></div>
      </form>
      <LastCall kind="prompt" id={item.id} />
      <Code request={{ method: 'prompts/get', name: item.id, given: values }} />
    </>
  );
}
