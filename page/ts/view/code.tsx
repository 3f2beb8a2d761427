// A request as a program.
//
// Owns: which language is shown. Must not know: what programs look like.

import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { LANGUAGES, type Request } from '../code/programs';
import { session } from '../state/store';
import { Panel, Tabs } from './tabs';
import { Text } from './values';

const language = signal('Python');

export function Code({ request }: { request: Request }) {
  const name = useId();
  const target = session.value?.target;
  const chosen = LANGUAGES.find((one) => one.name === language.value);
  if (!target || !chosen) return null;
  const tabs = LANGUAGES.map((one) => ({ id: one.name, label: one.name }));
  return (
    <details>
      <summary>Code</summary>
      <Tabs label="Language" name={name} tabs={tabs} chosen={chosen.name} onChoose={(id) => (language.value = id)} />
      <Panel name={name} chosen={chosen.name}>
        <Text key={chosen.name} words={chosen.program(request, target)} />
      </Panel>
    </details>
  );
}
