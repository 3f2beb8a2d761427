// A tool: what it says of itself, its form, its result.
//
// Owns: hints, the schemas. Must not know: how calls are made.

import { useState } from 'preact/hooks';
import { isObject, object, type JsonObject } from '../json';
import { run } from '../state/actions';
import { calls, type Item } from '../state/store';
import { LastCall } from './call';
import { Code } from './code';
import { Form } from './form';
import { Heading } from './items';
import { JsonView } from './values';

const HINTS: [name: string, yes: string, no: string][] = [
  ['readOnlyHint', 'read-only', 'changes things'],
  ['destructiveHint', 'destructive', 'not destructive'],
  ['idempotentHint', 'idempotent', 'not idempotent'],
  ['openWorldHint', 'open world', 'closed world'],
];

export function Tool({ item }: { item: Item }) {
  const schema = object(item.raw, 'inputSchema') ?? {};
  const before = calls.peek().findLast((call) => call.item.kind === 'tool' && call.item.id === item.id);
  const [value, setValue] = useState<JsonObject>(() => object(before?.params ?? {}, 'arguments') ?? {});
  const hints = object(item.raw, 'annotations') ?? {};
  const request = (given: JsonObject): JsonObject => ({ name: item.id, arguments: given });
  return (
    <>
      <Heading item={item}>
        {HINTS.map(([name, yes, no]) => (typeof hints[name] === 'boolean' ? <span class="chip" key={name}>{hints[name] ? yes : no}</span> : null))}
      </Heading>
      <Form
        schema={schema}
        first={object(before?.params ?? {}, 'arguments')}
        send="Call"
        onChange={setValue}
        onSend={(given) => {
          setValue(given);
          void run(item, 'tools/call', request(given));
        }}
      />
      <LastCall kind="tool" id={item.id} />
      <Code request={{ method: 'tools/call', name: item.id, given: value }} />
      <details>
        <summary>Schema</summary>
        <JsonView value={schema} label="input schema" />
        {isObject(item.raw.outputSchema) && (
          <>
            <h2>Output</h2>
            <JsonView value={item.raw.outputSchema} label="output schema" />
          </>
        )}
      </details>
    </>
  );
}
