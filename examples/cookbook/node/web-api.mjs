// The issues of a repository, by a REST API in the manner of GitHub's.
import { pathToFileURL } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { z } from 'zod';

const PAGE = 30;
const repository = z.string().regex(/^[\w.-]+\/[\w.-]+$/).describe('OWNER/NAME');
const issue = z.object({ number: z.number(), title: z.string(), state: z.string() });

/**
 * One request; what went wrong in words for the model. The token comes from the environment.
 * @param {string} path
 * @param {{ body?: object, signal: AbortSignal }} more
 * @returns {Promise<any>} what the API says; nothing of it is believed before it is parsed
 */
async function ask(path, { body, signal }) {
  const { ISSUES_URL = 'https://api.github.com', ISSUES_TOKEN } = process.env;
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/vnd.github+json' };
  if (ISSUES_TOKEN) headers.authorization = `Bearer ${ISSUES_TOKEN}`;
  const response = await fetch(ISSUES_URL + path, {
    method: body ? 'POST' : 'GET',
    headers,
    body: body && JSON.stringify(body),
    signal, // a cancelled call cancels its request
  });
  if (response.status === 403 || response.status === 429) {
    throw new Error(`Too many requests; wait ${response.headers.get('retry-after') ?? 60} seconds.`);
  }
  if (response.status === 404) throw new Error('There is no such repository or issue, or the token may not see it.');
  if (!response.ok) throw new Error(`The API refused this with ${response.status}.`);
  return response.json();
}

/** Data for programs, and the same as text for clients that read only that. */
const answer = (data) => ({
  content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(data) }],
  structuredContent: data,
});

export const server = new McpServer({ name: 'issues', version: '1.0.0' });

server.registerTool(
  'list_issues',
  {
    description: 'Lists issues, 30 on a page',
    inputSchema: {
      repository,
      state: z.enum(['open', 'closed', 'all']).default('open'),
      page: z.number().int().min(1).default(1),
    },
    outputSchema: { issues: z.array(issue), next_page: z.number().nullable().describe('null at the end') },
    annotations: { readOnlyHint: true },
  },
  async ({ repository, state, page }, { signal }) => {
    const query = new URLSearchParams({ state, page: String(page), per_page: String(PAGE) });
    const found = await ask(`/repos/${repository}/issues?${query}`, { signal });
    const issues = found.map((each) => issue.parse(each));
    return answer({ issues, next_page: found.length === PAGE ? page + 1 : null });
  },
);

server.registerTool(
  'open_issue',
  {
    description: 'Opens an issue. Everybody who may read the repository can see it.',
    inputSchema: { repository, title: z.string().min(1), body: z.string() },
    annotations: { destructiveHint: false },
  },
  async ({ repository, title, body }, { signal }) =>
    answer(issue.parse(await ask(`/repos/${repository}/issues`, { body: { title, body }, signal }))),
);

// Started as a program, and not imported by a test.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await server.connect(new StdioServerTransport());
