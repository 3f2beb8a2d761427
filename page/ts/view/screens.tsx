// What is shown in place of the page where it has no session to show.
//
// Owns: connecting, failing, asking for a token or for the page's own key. Must not know: sessions.

import { useState } from 'preact/hooks';
import { reconnect } from '../state/actions';
import { host, session } from '../state/store';

export function Screen() {
  const state = session.value;
  if (host.value === 'refused') {
    return (
      <main class="screen">
        <h1>This page needs its key</h1>
        <p>Open the whole URL that the server or <code>mcpbolt inspect</code> printed. It is another one each time the program starts.</p>
      </main>
    );
  }
  if (state?.state === 'failed') return <Failure />;
  return (
    <main class="screen" aria-busy="true">
      <h1>Connecting…</h1>
      {state && <p><code class="url">{'url' in state.target ? state.target.url : state.target.command.join(' ')}</code></p>}
    </main>
  );
}

function Failure() {
  const [token, setToken] = useState('');
  const { failure, target } = session.value ?? {};
  const wants = failure?.wantsToken && target && 'url' in target;
  return (
    <main class="screen">
      <h1>{wants ? 'The server wants to know who you are' : 'There is no session'}</h1>
      <p class="failure-words">{failure?.message}</p>
      {failure?.remedy && <p class="about">{failure.remedy}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reconnect(token || undefined);
        }}
      >
        {wants && (
          <div class="field">
            <label for="token"><span class="field-name">Access token</span></label>
            <p class="about" id="token-about">Sent to the server as a bearer token. It is kept nowhere.</p>
            <input id="token" type="password" autocomplete="off" aria-describedby="token-about" value={token} onInput={(event) => setToken(event.currentTarget.value)} />
          </div>
        )}
        <div class="buttons"><button type="submit" class="main">Connect</button></div>
      </form>
    </main>
  );
}
