// JSON as text, for what no form can show.
//
// Owns: what was typed, while it is no JSON yet. Must not know: schemas.

import { useState } from 'preact/hooks';
import { same, type Json } from '../json';
import type { Ids } from './field';

export function JsonField({ ids, value, onChange, rows, label }: { ids?: Ids; value: Json | undefined; onChange(value: Json | undefined): void; rows: number; label?: string }) {
  const [typed, setTyped] = useState(() => written(value));
  const [wrong, setWrong] = useState('');
  const [held, setHeld] = useState(value);
  if (!wrong && !same(held, value)) {
    // It was changed elsewhere.
    setHeld(value);
    setTyped(written(value));
  }
  const change = (words: string) => {
    setTyped(words);
    try {
      const read = words.trim() === '' ? undefined : (JSON.parse(words) as Json);
      setWrong('');
      setHeld(read);
      onChange(read);
    } catch (error) {
      setWrong((error as Error).message);
    }
  };
  return (
    <>
      <textarea class="code" spellcheck={false} aria-label={label} {...ids} rows={rows} value={typed} aria-invalid={wrong ? true : undefined} onInput={(event) => change(event.currentTarget.value)} />
      {wrong && <p class="problem" role="status">No JSON yet: {wrong}</p>}
    </>
  );
}

function written(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
