// A server on the npm package @rekog/mcp-nest, a transport of NestJS. Decorators are called
// by hand: this is JavaScript.
//
//   node nest.mjs PORT        Streamable HTTP at /mcp

import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Payload } from '@nestjs/microservices';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

class Greetings {
  async echo({ message }) {
    return { content: [{ type: 'text', text: `again: ${message}` }] };
  }
  async fails() {
    throw new Error('broken');
  }
}
const tools = { echo: { description: 'Says it again.', parameters: z.object({ message: z.string() }) }, fails: { description: 'Fails.' } };
for (const [name, facts] of Object.entries(tools)) {
  Payload()(Greetings.prototype, name, 0);
  Tool({ name, ...facts })(Greetings.prototype, name, Object.getOwnPropertyDescriptor(Greetings.prototype, name));
}
McpController()(Greetings);

class App {}
Module({ controllers: [Greetings] })(App);

const strategy = new McpStrategy({ name: 'on-mcp-nest', version: '1.0.0', transports: [new StreamableHttpTransport()] });
const app = await NestFactory.create(App, { logger: false });
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(Number(process.argv[2]), '127.0.0.1');
console.log('listening');
