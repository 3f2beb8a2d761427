// Servers in worker threads, one after the other and side by side, ended while they serve.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

async function round(name) {
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { execArgv: [] });
  await once(worker, 'message');
  let id = 0;
  const say = (message) => worker.postMessage({ jsonrpc: '2.0', ...message });
  const ask = async (method, params) => {
    say({ id: ++id, method, params });
    return (await once(worker, 'message'))[0].result;
  };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'p', version: '1' } });
  say({ method: 'notifications/initialized' });
  console.log(JSON.stringify(await ask('tools/call', { name })));
  for (let hanging = 0; hanging < 10; hanging += 1) say({ id: `h${hanging}`, method: 'tools/call', params: { name: 'hang' } });
  await worker.terminate();
}

for (const name of ['one', 'two']) await round(name);
await Promise.all(['three', 'four', 'five'].map(round));
