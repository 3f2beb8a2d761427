// A low-level server with prompts: a table of them, their messages by name, and one whose
// messages an object of its own makes. Its imports name no files.

import { Server } from 'mcpbolt/server';
import { StdioServerTransport } from 'mcpbolt/server/stdio';
import { GetPromptRequestSchema, ListPromptsRequestSchema } from 'mcpbolt/types';

const LETTERS = {
  'thank-you': {
    name: 'thank-you',
    description: 'A letter of thanks',
    arguments: [
      {
        name: 'gift',
        description: 'What was given',
        required: true,
      },
    ],
  },
  invitation: {
    name: 'invitation',
    description: 'A letter that invites',
    arguments: [
      {
        name: 'occasion',
        description: 'To what',
        required: true,
      },
      {
        name: 'place',
        description: 'Where',
        required: false,
      },
    ],
  },
};

const apology = {
  name: 'apology',
  async getMessages(mishap: string) {
    return [
      {
        role: 'user' as const,
        content: {
          type: 'text' as const,
          text: `This is what happened: ${mishap}`,
        },
      },
      {
        role: 'assistant' as const,
        content: {
          type: 'text' as const,
          text: 'I can write that you are sorry. Who was hurt by it?',
        },
      },
      {
        role: 'user' as const,
        content: {
          type: 'text' as const,
          text: 'Only the vase.',
        },
      },
    ];
  },
};

const server = new Server(
  {
    name: 'letters',
    version: '0.1.0',
  },
  {
    capabilities: {
      prompts: {},
    },
  },
);

server.setRequestHandler(ListPromptsRequestSchema, async () => {
  return {
    prompts: [...Object.values(LETTERS), { name: apology.name }],
  };
});

server.setRequestHandler(GetPromptRequestSchema, async (request) => {
  if (request.params.name === apology.name) {
    return { messages: await apology.getMessages(request.params.arguments?.mishap ?? 'nothing') };
  }

  const letter = LETTERS[request.params.name];
  if (!letter) {
    throw new Error(`no letter of this kind: ${request.params.name}`);
  }

  if (request.params.name === 'thank-you') {
    return {
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Write a short letter of thanks for:\n\n${request.params.arguments?.gift}`,
          },
        },
      ],
    };
  }

  if (request.params.name === 'invitation') {
    const place = request.params.arguments?.place || 'our house';
    return {
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Invite my friends to ${place}:\n\n${request.params.arguments?.occasion}`,
          },
        },
      ],
    };
  }

  throw new Error('a letter without words');
});

await server.connect(new StdioServerTransport());
