// The server as a whole: who it says it is, what it can do, its roots.
//
// Owns: these facts as a page. Must not know: lists of what it offers.

import { useState } from 'preact/hooks';
import type { Root } from '../client/channel';
import { duration } from '../json';
import { ping, reconnect, setRoots } from '../state/actions';
import { known, roots, session } from '../state/store';
import { JsonView, Text } from './values';

export function Server() {
  const server = known.value;
  const target = session.value?.target;
  const [alive, setAlive] = useState('');
  if (!server || !target) return null;
  const info = server.serverInfo;
  return (
    <article class="detail server">
      <header class="heading">
        <h1>{info?.title ?? info?.name}</h1>
        <p>
          <code>{info?.name} {info?.version}</code>
          <span class="chip">{server.protocolVersion}</span>
        </p>
        {info?.description && <p class="about">{info.description}</p>}
      </header>
      <p><code class="url">{'url' in target ? target.url : target.command.join(' ')}</code></p>
      <div class="buttons">
        <button type="button" onClick={() => void ping().then((took) => setAlive(typeof took === 'number' ? `Answered in ${duration(took)}` : took))}>Ping</button>
        <button type="button" onClick={() => reconnect()}>Connect again</button>
        <span role="status">{alive}</span>
      </div>
      {server.instructions && (
        <section>
          <h2>Instructions</h2>
          <Text words={server.instructions} />
        </section>
      )}
      <section>
        <h2>Capabilities</h2>
        <JsonView value={server.capabilities} label="capabilities" />
      </section>
      <Roots />
    </article>
  );
}

function Roots() {
  const [uri, setUri] = useState('');
  const held = roots.value;
  const add = (event: Event) => {
    event.preventDefault();
    const root: Root = { uri: uri.startsWith('/') ? `file://${encodeURI(uri)}` : uri };
    if (uri) setRoots([...held.filter((one) => one.uri !== root.uri), root]);
    setUri('');
  };
  return (
    <section>
      <h2>Roots</h2>
      <p class="about">Folders that the server is told it may work in, when it asks.</p>
      <ul class="roots">
        {held.map((root) => (
          <li key={root.uri}>
            <code>{root.uri}</code>
            <button type="button" class="small quiet" aria-label={`Remove ${root.uri}`} onClick={() => setRoots(held.filter((one) => one !== root))}>Remove</button>
          </li>
        ))}
      </ul>
      <form class="buttons" onSubmit={add}>
        <input aria-label="Root to add" placeholder="/folder or URI" value={uri} onInput={(event) => setUri(event.currentTarget.value)} />
        <button type="submit">Add</button>
      </form>
    </section>
  );
}
