// Values and content of results, shown.
//
// Owns: JSON in colours, blocks of content. Must not know: which call they came from.

import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { isObject, list, size, text, type Json, type JsonObject } from '../json';
import { copy } from '../state/actions';
import { go } from '../state/store';

/** Longest text that is shown at once, in characters. */
const LONG = 20_000;
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON in colours; what is long is cut until more is asked for. */
export function JsonView({ value, label = 'JSON' }: { value: Json; label?: string }) {
  const whole = JSON.stringify(value, null, 2);
  return <Long words={whole} label={label} show={(words) => coloured(words)} />;
}

function Long({ words, label, show }: { words: string; label: string; show: (words: string) => ComponentChildren }) {
  const [all, setAll] = useState(false);
  const cut = !all && words.length > LONG;
  return (
    <div class="value">
      <button type="button" class="small quiet copy" aria-label={`Copy ${label}`} onClick={() => void copy(words)}>Copy</button>
      <pre tabIndex={0} role="group" aria-label={label}>{show(cut ? words.slice(0, LONG) : words)}</pre>
      {cut && <button type="button" class="small" onClick={() => setAll(true)}>Show all {size(words.length)}</button>}
    </div>
  );
}

function coloured(words: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let last = 0;
  for (const match of words.matchAll(TOKENS)) {
    parts.push(words.slice(last, match.index));
    const kind = match[1] === undefined ? (match[3] ? 'word' : 'number') : match[2] === undefined ? 'string' : 'name';
    parts.push(<span class={`json-${kind}`}>{match[1] ?? match[0]}</span>, match[2]);
    last = match.index + match[0].length;
  }
  parts.push(words.slice(last));
  return parts;
}

/** One block of content, of a tool, a prompt, or a message. */
export function Block({ block }: { block: Json }) {
  if (!isObject(block)) return <JsonView value={block} />;
  switch (block.type) {
    case 'text':
      return <Text words={text(block, 'text') ?? ''} />;
    case 'image':
      return <Picture data={text(block, 'data') ?? ''} type={text(block, 'mimeType') ?? ''} />;
    case 'audio':
      return <Sound data={text(block, 'data') ?? ''} type={text(block, 'mimeType') ?? ''} />;
    case 'resource':
      return isObject(block.resource) ? <Contents contents={block.resource} /> : <JsonView value={block} />;
    case 'resource_link': {
      const uri = text(block, 'uri') ?? '';
      return (
        <p>
          <button type="button" class="link" onClick={() => go('resource', uri)}>{text(block, 'title') ?? text(block, 'name') ?? uri}</button> <code>{uri}</code>
        </p>
      );
    }
    default:
      return <JsonView value={block} />;
  }
}

export function Text({ words }: { words: string }) {
  return <Long words={words} label="text" show={(shown) => (shown === '' ? <span class="quiet">(empty)</span> : shown)} />;
}

/** What a resource holds. */
export function Contents({ contents }: { contents: JsonObject }) {
  const type = text(contents, 'mimeType') ?? '';
  const blob = text(contents, 'blob');
  return (
    <figure class="contents">
      <figcaption><code>{text(contents, 'uri')}</code>{type && <span class="chip">{type}</span>}</figcaption>
      {blob === undefined ? (
        <Text words={text(contents, 'text') ?? ''} />
      ) : type.startsWith('image/') ? (
        <Picture data={blob} type={type} />
      ) : type.startsWith('audio/') ? (
        <Sound data={blob} type={type} />
      ) : (
        <p class="quiet">{size(Math.floor((blob.length * 3) / 4))} of bytes</p>
      )}
    </figure>
  );
}

function Picture({ data, type }: { data: string; type: string }) {
  const [measure, setMeasure] = useState('');
  const [broken, setBroken] = useState(false);
  if (broken) return <p class="problem">This is no picture that the browser can show ({type}).</p>;
  return (
    <figure class="picture">
      <img src={`data:${type};base64,${data}`} alt={`Picture of the server, ${type}`} onError={() => setBroken(true)} onLoad={({ currentTarget: image }) => setMeasure(`${image.naturalWidth} × ${image.naturalHeight}`)} />
      <figcaption class="quiet">{type} {measure} {size(Math.floor((data.length * 3) / 4))}</figcaption>
    </figure>
  );
}

function Sound({ data, type }: { data: string; type: string }) {
  // What a server says has no captions.
  return <audio controls src={`data:${type};base64,${data}`} aria-label={`Sound of the server, ${type}`} />;
}

/** The result of any method, as a person reads it. */
export function Result({ method, result }: { method: string; result: Json }) {
  if (method === 'tools/call') {
    const structured = isObject(result) ? result.structuredContent : undefined;
    return (
      <>
        {(list(result, 'content') ?? []).map((block, index) => <Block key={index} block={block} />)}
        {structured !== undefined && (
          <section>
            <h2>Structured content</h2>
            <JsonView value={structured} label="structured content" />
          </section>
        )}
      </>
    );
  }
  if (method === 'resources/read') {
    return <>{(list(result, 'contents') ?? []).map((contents, index) => (isObject(contents) ? <Contents key={index} contents={contents} /> : null))}</>;
  }
  if (method === 'prompts/get') {
    return (
      <>
        {text(result, 'description') && <p class="about">{text(result, 'description')}</p>}
        {(list(result, 'messages') ?? []).map((message, index) => (
          <div class="message" key={index}>
            <span class="chip">{text(message, 'role')}</span>
            <Block block={isObject(message) ? (message.content ?? null) : message} />
          </div>
        ))}
      </>
    );
  }
  return <JsonView value={result} />;
}
