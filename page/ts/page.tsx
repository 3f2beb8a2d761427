// Where the page begins: its key, its channel, its views.

import { render } from 'preact';
import { Relay } from './client/relay';
import { start } from './state/actions';
import { Shell } from './view/shell';

const KEPT = 'mcpbolt-key';

/** The key in the URL, which is then taken out of what the browser shows and remembers. */
function key(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, '', location.pathname);
  }
  return given ?? sessionStorage.getItem(KEPT) ?? '';
}

start(new Relay(key()));
render(<Shell />, document.body);
