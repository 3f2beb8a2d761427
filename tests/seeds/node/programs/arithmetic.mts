// A low-level server with tools; one of them says itself what went wrong.

import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from 'mcpbolt/types.js';

const server = new Server(
  {
    name: 'arithmetic',
    version: '0.1.0',
  },
  {
    capabilities: {
      tools: {},
    },
  },
);

server.setRequestHandler(ListToolsRequestSchema, async () => {
  return {
    tools: [
      {
        name: 'multiply',
        description: 'The product of two numbers',
        inputSchema: {
          type: 'object',
          properties: {
            x: { type: 'number' },
            y: { type: 'number' },
          },
          required: ['x', 'y'],
        },
      },
      {
        name: 'divide',
        description: 'Their quotient, of integers',
        inputSchema: {
          type: 'object',
          properties: {
            x: { type: 'integer' },
            y: { type: 'integer' },
          },
        },
      },
    ],
  };
});

function quotient(x: any, y: any) {
  return BigInt(x) / BigInt(y);
}

server.setRequestHandler(CallToolRequestSchema, async (request) => {
  if (request.params.name === 'multiply') {
    const { x, y } = request.params.arguments as any;
    return {
      content: [
        {
          type: 'text',
          text: String(x * y),
        },
      ],
    };
  }
  if (request.params.name === 'divide') {
    try {
      const result = quotient(request.params.arguments.x, request.params.arguments.y);
      return {
        content: [
          {
            type: 'text',
            text: `They make ${result}`,
          },
        ],
      };
    } catch (error) {
      return {
        isError: true,
        content: [
          {
            type: 'text',
            text: `Cannot: ${error.message}`,
          },
        ],
      };
    }
  }
  throw new Error('unknown operation');
});

await server.connect(new StdioServerTransport());
