// What every server of the benchmark is told, and the tools that all of them have.
// Reads the command line by hand: a cold start is measured, and a library would be part of it.
const words = process.argv.slice(2);
const address = words.includes('--http') ? words[words.indexOf('--http') + 1] : '';

export const SETTINGS = {
  http: address !== '',
  host: address.slice(0, address.lastIndexOf(':')),
  port: Number(address.slice(address.lastIndexOf(':') + 1)),
  stateless: words.includes('--stateless'),
  mount: words.includes('--mount'),
  modern: words.includes('--modern'),
  stores: words.includes('--stores') ? words[words.indexOf('--stores') + 1] : undefined,
  issuer: words.includes('--issuer') ? words[words.indexOf('--issuer') + 1] : undefined,
  resource: `http://${address}/mcp`,
  large: words.includes('--large'),
  tools: words.includes('--tools') ? Number(words[words.indexOf('--tools') + 1]) : 0,
};

/** Largest request that must be taken. */
export const MAX_BODY = 64 << 20;

const LINE = 'It was a dark and stormy night; the rain fell in torrents, except at größeren Pausen.\n';

/** Tools that take and give long texts. */
function registerLarge(server, z) {
  server.registerTool(
    'count',
    { description: 'How many characters a text has.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text: String(text.length) }] }),
  );
  server.registerTool(
    'repeat',
    { description: 'Says a line so many times.', inputSchema: z.object({ lines: z.number().int() }) },
    async ({ lines }) => ({ content: [{ type: 'text', text: LINE.repeat(lines) }] }),
  );
}

/** Gives a server its tools, in the form that all generations of the API share. */
export function register(server, z) {
  server.registerTool(
    'echo',
    { description: 'Says what it was told.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  if (SETTINGS.large) registerLarge(server, z);
  for (let number = 0; number < SETTINGS.tools; number++) {
    const name = `tool_${String(number).padStart(3, '0')}`;
    const description = `Tool number ${number}: looks something up in a table of the program and says what it found.`;
    const inputSchema = z.object({
      query: z.string(),
      limit: z.number().int().default(10),
      exact: z.boolean().default(false),
    });
    server.registerTool(name, { description, inputSchema }, async ({ query, limit, exact }) => ({
      content: [{ type: 'text', text: `${query} ${limit} ${exact}` }],
    }));
  }
}
