// One call: how far it is, and what came of it.
//
// Owns: progress, the result, the failure. Must not know: what may be called.

import { useEffect, useRef, useState } from 'preact/hooks';
import { duration, isObject } from '../json';
import { calls, type Call } from '../state/store';
import { JsonView, Result } from './values';

/** The newest call of an entry. */
export function LastCall({ kind, id }: { kind: string; id: string }) {
  const call = calls.value.findLast(({ item }) => item.kind === kind && item.id === id);
  return call ? <CallView key={call.number} call={call} /> : null;
}

export function CallView({ call }: { call: Call }) {
  const [raw, setRaw] = useState(false);
  const place = useRef<HTMLElement>(null);
  const over = call.took !== undefined;
  useEffect(() => {
    if (over) place.current?.scrollIntoView({ block: 'nearest' });
  }, [over]);
  const failed = call.error !== undefined || (isObject(call.result) && call.result.isError === true);
  const verdict = !over ? 'Running' : call.error?.kind === 'Cancelled' ? 'Cancelled' : failed ? 'Failed' : 'Done';
  return (
    <section class={`call ${verdict.toLowerCase()}`} ref={place} aria-label="Result">
      <header>
        <p class="verdict" role="status">
          <span class={`dot ${verdict.toLowerCase()}`} aria-hidden="true" /> {verdict}
        </p>
        <span class="quiet">{over ? duration(call.took ?? 0) : <Clock since={call.began} />}</span>
        <span class="space" />
        {!over && <button type="button" onClick={() => call.stop.abort()}>Cancel</button>}
        {call.result !== undefined && <button type="button" class="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>JSON</button>}
      </header>
      <ProgressView call={call} />
      {call.error && call.error.kind !== 'Cancelled' && (
        <div class="failure">
          <p>{call.error.message}</p>
          <p class="quiet">{call.error.local ? `Not said by the server: ${call.error.kind}` : `Error ${call.error.code} of the server`}</p>
          {call.error.data !== undefined && <JsonView value={call.error.data} label="data of the error" />}
        </div>
      )}
      {call.result !== undefined && (raw ? <JsonView value={call.result} label="result" /> : <Result method={call.method} result={call.result} />)}
    </section>
  );
}

function ProgressView({ call }: { call: Call }) {
  const last = call.progress.at(-1);
  if (!last) return null;
  return (
    <div class="progress">
      <progress value={last.total === undefined ? undefined : last.progress} max={last.total ?? 1} aria-label="Progress of the call" />
      <span>{last.total === undefined ? last.progress : `${last.progress} of ${last.total}`} {last.message}</span>
    </div>
  );
}

/** Counts while something runs. */
function Clock({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(tick);
  }, []);
  return <>{duration(Math.max(now - since, 0))}</>;
}
