// A skill and the tools that it needs: how release notes are written here, and what has changed.
//
//     node release-notes.mjs path/to/repository
import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { McpServer } from 'mcpbolt/v2/server';
import { loadSkills } from 'mcpbolt/v2/server/ext/skills/node';
import { StdioServerTransport } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

const SKILLS = fileURLToPath(new URL('../skills', import.meta.url));
const MOST = 200;
const annotations = { readOnlyHint: true, openWorldHint: false };
const run = promisify(execFile);

// A name that begins with a hyphen would be an option of git.
const name = z.string().regex(/^\w[\w./-]*$/).max(100);

const said = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] });

/** The server of one repository. A skill that is not served as it should be is an error. */
export async function releases(repository) {
  const skills = await loadSkills(SKILLS, {
    onWarning: ({ message }) => {
      throw new Error(message);
    },
  });
  const server = new McpServer(
    { name: 'releases', version: '1.0.0' },
    // For hosts that do not know skills: the file is an ordinary resource to them.
    { instructions: 'Before you write release notes, read skill://release-notes/SKILL.md.' },
  );
  skills.attach(server);

  /** What git prints. A list of words and no shell: nothing in them is understood as a command. */
  async function git(words, signal) {
    try {
      const { stdout } = await run('git', ['-C', repository, ...words], { signal, timeout: 30_000, maxBuffer: 1 << 24 });
      return stdout;
    } catch (error) {
      const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error);
      throw new Error(`git says: ${(stderr || message).trim()}`);
    }
  }

  server.registerTool(
    'last_release',
    { description: 'The newest tag on the current branch', annotations },
    async ({ mcpReq }) => said((await git(['describe', '--tags', '--abbrev=0'], mcpReq.signal)).trim()),
  );

  server.registerTool(
    'changes',
    {
      description: `The commits since a tag, newest first, at most ${MOST}`,
      inputSchema: z.object({ since: name }),
      annotations,
    },
    async ({ since }, { mcpReq }) => {
      const words = ['log', '--no-merges', `-${MOST + 1}`, '--format=%h%x1f%as%x1f%s%x1f%b%x1e', `${since}..HEAD`, '--'];
      const rows = (await git(words, mcpReq.signal)).split('\x1e').slice(0, -1);
      const commits = rows.map((row) => {
        const [id, day, subject, details] = row.trim().split('\x1f');
        return { id, day, subject, details: details.trim() };
      });
      const found = { commits: commits.slice(0, MOST), more: commits.length > MOST };
      return { ...said(JSON.stringify(found)), structuredContent: found };
    },
  );

  server.registerTool(
    'files_of',
    {
      description: 'Which files a commit has changed, and by how many lines',
      inputSchema: z.object({ commit: name }),
      annotations,
    },
    async ({ commit }, { mcpReq }) => said(await git(['show', '--stat', '--format=', commit, '--'], mcpReq.signal)),
  );
  return server;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await (await releases(process.argv[2] ?? '.')).connect(new StdioServerTransport());
}
