// The four things every peer does, between two peers whose methods are their own: take
// requests, take notifications, ask and wait, tell.

import { Client } from 'mcpbolt/client/index.js';
import { Server } from 'mcpbolt/server/index.js';
import { ResultSchema } from 'mcpbolt/types.js';
import { z } from 'zod';
import { portTransports } from './transports.mjs';

const EchoRequestSchema = z.object({ method: z.literal('sample/echo'), params: z.object({ words: z.string() }) });
const SeenNotificationSchema = z.object({ method: z.literal('sample/seen'), params: z.object({ times: z.number() }) });

const server = new Server({ name: 'talk', version: '0.1.0' }, { capabilities: {} });
const client = new Client({ name: 'talk-client', version: '0.1.0' }, { capabilities: {} });

let times = 0;
const seen = new Promise<number>((resolve) => {
  client.setNotificationHandler(SeenNotificationSchema, async (notification) => resolve(notification.params.times));
});

server.setRequestHandler(EchoRequestSchema, async (request, extra) => {
  times += 1;
  await extra.sendNotification({ method: 'sample/seen', params: { times } } as any);
  return { words: `${request.params.words}!` };
});

const [mine, theirs] = portTransports();
await server.connect(theirs);
await client.connect(mine);

const answer = await client.request({ method: 'sample/echo', params: { words: 'hello' } } as any, ResultSchema);
await server.notification({ method: 'sample/seen', params: { times: 2 } } as any);
console.log(`${answer.words} seen ${await seen}`);
await client.close();
