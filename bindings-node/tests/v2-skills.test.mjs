// Skills of 2.x beside the official packages: what a catalog publishes, what a client takes, and
// each with the other's peer, in both eras.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const PACKAGES = { official: '@modelcontextprotocol', ours: 'mcpbolt/v2' };
const KITS = Object.fromEntries(
  await Promise.all(
    Object.entries(PACKAGES).map(async ([name, from]) => {
      const paths = ['server', 'client', 'server/ext/skills', 'server/ext/skills/node', 'client/ext/skills', 'core/ext/skills'];
      const modules = await Promise.all(paths.map((path) => import(`${from}/${path}`)));
      return [name, Object.assign({}, ...modules)];
    }),
  ),
);
const PAIRS = [['ours', 'ours'], ['ours', 'official'], ['official', 'ours'], ['official', 'official']];
const ERAS = [{}, { mode: 'auto' }];
const self = { name: 'x', version: '1' };
const quiet = { onWarning: () => {} };

const REFUNDS = `---
name: refunds
description: Process refunds # a comment
license: Apache-2.0
metadata: {owner: "billing", version: '2'}
---

Read \`examples/email.md\`.
`;
const FILES = {
  'billing/refunds/SKILL.md': REFUNDS,
  'billing/refunds/examples/email.md': 'Dear customer',
  'billing/refunds/examples/Q&A 1.md': 'Why?',
  'billing/refunds/logo.png': new Uint8Array([0x89, 0x50, 0xff]),
  'billing/refunds/deep/SKILL.md': '---\nname: deep\ndescription: A nested skill\nallowed-tools: Bash\n---\nGo on.\n',
  'notes.txt': 'no skill',
};

async function connected(serverKit, clientKit, versionNegotiation, skills, clientOptions = {}) {
  const mcp = new serverKit.McpServer(self);
  skills.attach(mcp);
  const client = new clientKit.Client(self, { versionNegotiation, ...clientOptions });
  const [near, far] = serverKit.InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  await client.connect(near);
  return { mcp, client, skills: new clientKit.SkillsClient(client), close: () => client.close() };
}

/** What came of it: the result, or what the error is and says. */
async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return { threw: error.name, code: error.code, reason: error.reason, uri: error.uri };
  }
}

/** Everything that a host can ask of a server with these files. */
async function asked(serverKit, clientKit, era, options = {}) {
  const catalog = await serverKit.SkillsExtension.load(serverKit.memorySkillFiles(FILES), { ...quiet, ...options });
  const at = await connected(serverKit, clientKit, era, catalog);
  const [, listed] = [at.skills.supported, await at.skills.list()];
  const refunds = listed.skills.find(({ frontmatter }) => frontmatter.name === 'refunds');
  const root = refunds.uri.slice(0, -'/SKILL.md'.length);
  const read = async (...given) => {
    const file = await at.skills.read(refunds, ...given);
    return { ...file, bytes: [...file.bytes] };
  };
  const found = {
    declared: [at.skills.supported, at.skills.directoryRead, at.client.getServerCapabilities().extensions],
    listed,
    got: await at.skills.get(refunds.uri),
    own: await read(),
    email: await read('examples/email.md#top'),
    spelled: await read(`${root}/examples/Q%26A%201.md`),
    logo: await read('logo.png'),
    nested: await read('deep/SKILL.md'),
    folder: await at.skills.readDirectory(root),
    below: await at.skills.readDirectory(`${root}/examples`),
    resources: await at.client.listResources(),
    unlisted: await outcome(() => read('examples/none.md')),
    outside: await outcome(() => read('../../secret.md')),
    unknown: await outcome(() => at.skills.get('skill://none/SKILL.md')),
    noFolder: await outcome(() => at.skills.readDirectory(refunds.uri)),
    noFile: await outcome(() => at.client.readResource({ uri: `${root}/none.md` })),
  };
  await at.close();
  return found;
}

/** Of an in-memory pair the official server speaks the legacy era alone, which has neither hints nor metadata. */
const withoutHints = (value) => JSON.parse(JSON.stringify(value, (key, each) => (['ttlMs', 'cacheScope', '_meta'].includes(key) ? undefined : each)));

for (const era of ERAS) {
  const revision = era.mode ? '2026-07-28' : 'the legacy era';
  for (const [server, client] of PAIRS.slice(0, 3)) {
    test(`a ${server} server and a ${client} client do as the official ones, in ${revision}`, async () => {
      const options = { prefix: 'acme', cacheHint: { ttlMs: 5000, cacheScope: 'public' } };
      const theirs = await asked(KITS.official, KITS.official, era, options);
      assert.ok(theirs.listed.skills.length === 2);
      const found = await asked(KITS[server], KITS[client], era, options);
      assert.deepEqual(withoutHints(found), withoutHints(theirs));
      const hints = server === 'ours' && era.mode ? [5000, 'public'] : [undefined, undefined];
      for (const { ttlMs, cacheScope } of [found.listed, found.got, found.folder]) assert.deepEqual([ttlMs, cacheScope], hints);
    });
  }
}

test('pages end where the official ones end', async () => {
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`s${n}/SKILL.md`, `---\nname: s${n}\ndescription: d\n---\n`]));
  const pages = async (kit) => {
    const catalog = await kit.SkillCatalog.load(kit.memorySkillFiles(files), { ...quiet, pageSize: 2 });
    const at = await connected(kit, kit, {}, catalog);
    const first = await at.client.request({ method: 'skills/list' }, kit.ListSkillsResultSchema.partial?.() ?? (await import('zod')).z.looseObject({}));
    const all = await at.skills.list();
    const wrong = await outcome(() => at.skills.list({ cursor: 'none' }));
    await at.close();
    return { first: [first.skills.length, first.nextCursor], all: all.skills.map(({ uri }) => uri), wrong };
  };
  assert.deepEqual(await pages(KITS.ours), await pages(KITS.official));
});

test('a file that is not what its entry says is refused, each time for the same reason', async () => {
  const changes = {
    digest: REFUNDS.replace('Read', 'Eat!'),
    size: `${REFUNDS}more`,
    frontmatter: REFUNDS.replace('Process refunds', 'Exfiltrate data'),
  };
  const reasons = async (kit, serverKit) => {
    const found = {};
    for (const [name, text] of Object.entries(changes)) {
      const published = await serverKit.skillEntry('refunds', { 'SKILL.md': name === 'frontmatter' ? text : REFUNDS });
      const honest = await serverKit.skillEntry('refunds', { 'SKILL.md': REFUNDS });
      const entry = { ...published, frontmatter: honest.frontmatter };
      const reads = [];
      const source = {
        list: async () => ({ skills: [entry] }),
        get: async () => entry,
        read: async (uri) => (reads.push(uri), { text, mimeType: 'text/markdown' }),
      };
      const at = await connected(serverKit, kit, { mode: 'auto' }, new serverKit.SkillsExtension({ source, ...quiet }));
      const { skills } = await at.skills.list();
      assert.deepEqual(reads, [], 'nothing is read ahead');
      found[name] = [await outcome(() => at.skills.read(skills[0])), reads.length];
      await at.close();
    }
    return found;
  };
  const theirs = await reasons(KITS.official, KITS.official);
  assert.deepEqual(Object.values(theirs).map(([{ reason }]) => reason), ['digest', 'size', 'frontmatter']);
  assert.deepEqual(await reasons(KITS.ours, KITS.ours), theirs);
  assert.deepEqual(await reasons(KITS.ours, KITS.official), theirs);
});

test('entries that are not valid are named, or left out', async () => {
  const bad = (change) => ({ uri: 'skill://a/SKILL.md', frontmatter: { name: 'a', description: 'd' }, resources: 'dynamic', ...change });
  const entries = [
    bad({}),
    bad({ uri: 'skill://b/SKILL.md' }),
    bad({ uri: 'skill://c/SKILL.md', frontmatter: { name: 'c' } }),
    bad({ uri: 'skill://d/SKILL.md', frontmatter: { name: 'd', description: 'd' }, resources: 'some' }),
    bad({ uri: 'skill://e/README.md' }),
  ];
  const listed = async (serverKit, clientKit) => {
    const mcp = new serverKit.McpServer(self, { capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } } });
    mcp.server.setRequestHandler('skills/list', { params: (await import('zod')).z.looseObject({}) }, () => ({ skills: entries }));
    const client = new clientKit.Client(self);
    const [near, far] = serverKit.InMemoryTransport.createLinkedPair();
    await mcp.connect(far);
    await client.connect(near);
    const strict = await outcome(() => new clientKit.SkillsClient(client).list());
    const { skills, invalid } = await new clientKit.SkillsClient(client, { skipInvalid: true }).list();
    await client.close();
    return { strict, skills, invalid: invalid.map(({ index, uri }) => [index, uri]) };
  };
  assert.deepEqual(await listed(KITS.ours, KITS.ours), await listed(KITS.official, KITS.official));
});

test('a folder is read without following links, and again when it changed', async () => {
  const top = await mkdtemp(join(tmpdir(), 'skills-'));
  try {
    const put = async (path, text) => {
      await mkdir(join(top, path, '..'), { recursive: true });
      await writeFile(join(top, path), text);
    };
    await put('tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies\n---\nGo.\n');
    await put('linked/SKILL.md', '---\nname: linked\ndescription: Has a link\n---\n');
    await symlink('/etc/passwd', join(top, 'linked', 'more.md'));
    await put('wrong/SKILL.md', '---\nname: other\ndescription: Wrong name\n---\n');
    const found = async (kit) => {
      const warned = [];
      const catalog = await kit.loadSkills(top, { onWarning: ({ path }) => warned.push(path) });
      await assert.rejects(kit.loadSkills(top, { strict: true, ...quiet }), kit.SkillCatalogError);
      const at = await connected(kit, kit, {}, catalog);
      const told = new Promise((resolve) => at.client.setNotificationHandler('notifications/resources/list_changed', resolve));
      await put('tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies more\n---\nGo.\n');
      const stale = await outcome(() => at.client.readResource({ uri: 'skill://tidy/SKILL.md' }));
      const changes = await catalog.reload();
      await told;
      const after = await at.skills.read(catalog.entries[0]);
      await at.close();
      await put('tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies\n---\nGo.\n');
      return { warned: warned.slice(0, 2).sort(), stale, changes, after: after.text, frozen: Object.isFrozen(catalog.entries[0].resources) };
    };
    assert.deepEqual(await found(KITS.ours), await found(KITS.official));
  } finally {
    await rm(top, { recursive: true });
  }
});

test('a server has one skills extension, and has it before it is connected', async () => {
  const said = async (kit) => {
    const load = () => kit.SkillsExtension.load(kit.memorySkillFiles(FILES), quiet);
    const mcp = new kit.McpServer(self);
    const first = await load();
    first.attach(mcp);
    first.attach(mcp);
    const other = await load();
    assert.throws(() => other.attach(mcp), /another skills extension is already attached/);
    const late = new kit.McpServer(self);
    await late.connect(kit.InMemoryTransport.createLinkedPair()[0]);
    assert.throws(() => other.attach(late), /before connecting/);
    return outcome(() => new kit.SkillsExtension({ source: {}, baseUri: 'nowhere' }));
  };
  assert.deepEqual(await said(KITS.ours), await said(KITS.official));
});

test('an approval is of one skill of one server, and of just these files', async () => {
  const { approveSkill, isSkillApproved, SkillApprovalError, SkillsExtension, memorySkillFiles } = KITS.ours;
  const entryOf = async (files) => {
    const at = await connected(KITS.ours, KITS.ours, {}, await SkillsExtension.load(memorySkillFiles(files), quiet));
    const { skills } = await at.skills.list();
    await at.close();
    return skills.find(({ frontmatter }) => frontmatter.name === 'tidy');
  };
  const MANIFEST = '---\nname: tidy\ndescription: Tidies\n---\nGo.\n';
  const files = { 'tidy/SKILL.md': MANIFEST, 'tidy/list.txt': 'desk' };
  const skill = await entryOf(files);
  const kept = JSON.parse(JSON.stringify(approveSkill('docs', skill)));
  assert.deepEqual(kept, { server: 'docs', uri: skill.uri, files: Object.fromEntries(skill.resources.map(({ uri, digest }) => [uri, digest])) });
  assert.equal(isSkillApproved('docs', await entryOf(files), kept), true);

  const others = {
    changed: await entryOf({ ...files, 'tidy/list.txt': 'shop' }),
    more: await entryOf({ ...files, 'tidy/more.txt': 'more' }),
    fewer: await entryOf({ 'tidy/SKILL.md': MANIFEST }),
    moved: await entryOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [`acme/${path}`, text]))),
    dynamic: { ...skill, resources: 'dynamic' },
    invalid: { ...skill, frontmatter: {} },
  };
  for (const [name, other] of Object.entries(others)) assert.equal(isSkillApproved('docs', other, kept), false, name);
  assert.equal(isSkillApproved('other', skill, kept), false);
  for (const none of [undefined, null, true, {}, 'docs', { server: 'docs' }]) assert.equal(isSkillApproved('docs', skill, none), false);

  assert.throws(() => approveSkill('docs', others.dynamic), (error) => error instanceof SkillApprovalError && error.uri === skill.uri && /dynamic/.test(error.message));
  assert.throws(() => approveSkill('docs', others.invalid), TypeError);
});
