// Guard rails of the engine around functions of JavaScript; the names of the cases are those of
// every language.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { Server } from 'mcpbolt/server/index.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { CallToolRequestSchema, CreateMessageRequestSchema, ErrorCode, McpError } from 'mcpbolt/types.js';
import * as v2 from 'mcpbolt/v2/server';
import { connected } from './support/guest.mjs';

const never = () => new Promise(() => undefined);

async function guarded(options, work, more = {}) {
  const server = new McpServer({ name: 'guarded', version: '1' }, options);
  server.registerTool('add', {}, () => ({ content: [{ type: 'text', text: 'done' }] }));
  server.registerTool('wait', {}, never);
  server.registerPrompt('later', {}, never);
  server.registerResource('one', 'note://one', {}, ({ href }) => ({ contents: [{ uri: href, text: 'one' }] }));
  await connected(server, work, more);
}

const text = (result) => result.content[0].text;
const refusal = (work) => work.then(() => assert.fail('it was not refused'), (error) => error);

/** Waits until something is so. */
async function until(holds) {
  for (const end = Date.now() + 30_000; !holds(); ) {
    assert.ok(Date.now() < end, 'it never came');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('over_the_limit_a_tool_call_reads_how_long_to_wait', () => {
  const rule = { methods: ['tools/call'], per: 'server', rate: 0.001, burst: 1 };
  return guarded({ engine: { rate_limit: [rule] } }, async (client) => {
    assert.equal(text(await client.callTool({ name: 'add' })), 'done');
    const refused = await client.callTool({ name: 'add' });
    assert.equal(refused.isError, true);
    assert.match(text(refused), /^Rate limit exceeded: try again in \d+ ms$/);
    // Others go on.
    assert.equal((await client.listTools()).tools.length, 2);
  });
});

test('over_the_limit_other_requests_get_429_and_the_wait', () => {
  const rule = { methods: ['resources/read'], per: 'session', rate: 0.001, burst: 1 };
  return guarded({ engine: { rate_limit: [rule] } }, async (client) => {
    await client.readResource({ uri: 'note://one' });
    const refused = await client.readResource({ uri: 'note://one' }).catch((error) => error);
    assert.equal(refused.code, 429);
    assert.ok(refused.data.retryAfterMs > 1000, JSON.stringify(refused.data));
  });
});

test('a_handler_that_never_returns_is_cancelled_and_the_client_reads_why', () =>
  guarded({ engine: { timeout: 0.05 } }, async (client) => {
    const late = await client.callTool({ name: 'wait' });
    assert.deepEqual([late.isError, text(late)], [true, 'Tool wait timed out after 0.05 s']);
    const error = await client.getPrompt({ name: 'later' }).catch((reason) => reason);
    assert.deepEqual([error.code, error.data.reason], [-32603, 'timeout']);
  }));

// Access

function rule(asker, { verb, name }) {
  assert.equal(asker.clientInfo.name, 'guest');
  if (name === 'add' || name === 'note://one') return 'hide';
  return name === 'wait' && verb !== 'list' ? { deny: 'not today' } : 'allow';
}

/** What a client learns of something, by its own name or by another. */
async function learned(work, name, instead = name) {
  const said = await work(name).then((result) => result, ({ code, message, data }) => ({ code, message, data }));
  return JSON.parse(JSON.stringify(said).replaceAll(name, instead));
}

for (const kind of ['server', 'strict server', 'server of 2.x']) {
  for (const protocol of ['legacy', 'modern']) {
    test(`what_is_hidden_is_answered_as_if_it_did_not_exist: ${kind}, ${protocol}`, async () => {
      const decide = (_, { name }) => (/secret/.test(name) ? 'hide' : 'allow');
      const options = { authorize: decide, ...(kind === 'strict server' && { engine: { unknown_tool: 'error' } }) };
      const McpServerOf = kind === 'server of 2.x' ? v2.McpServer : McpServer;
      const server = new McpServerOf({ name: 'guarded', version: '1' }, options);
      server.registerTool('secret', {}, never);
      server.registerPrompt('secret', {}, never);
      server.registerResource('secret', 'note://secret', {}, never);
      const work = async (client) => {
        for (const ask of [
          (name) => client.callTool({ name }),
          (name) => client.getPrompt({ name }),
          (name) => client.readResource({ uri: `note://${name}` }),
        ]) {
          assert.deepEqual(await learned(ask, 'secret', 'absent'), await learned(ask, 'absent'), String(ask));
        }
      };
      await connected(server, work, { protocol });
    });
  }
}

test('what_is_hidden_is_in_no_list_and_lists_are_private', () =>
  guarded({ authorize: rule }, async (client) => {
    assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['wait']);
    assert.deepEqual((await client.listResources()).resources, []);
  }));

test('what_is_denied_is_listed_and_refused_with_its_reason', () =>
  guarded({ authorize: rule }, async (client) => {
    const refused = await client.callTool({ name: 'wait' });
    assert.equal(refused.isError, true);
    assert.match(text(refused), /not today/);
  }));

test('verdicts_may_come_later_and_what_nobody_decides_is_refused', () => {
  const later = async (asker, { verb, name }) => {
    await null;
    if (verb === 'list') return name === 'add' ? 'allow' : 'hide';
    if (name === 'add') throw new Error('the database is down');
    return 'perhaps';
  };
  const server = new McpServer({ name: 'guarded', version: '1' }, { authorize: later });
  for (const name of ['add', 'wait']) server.registerTool(name, {}, never);
  const log = [];
  server.server.onerror = ({ message }) => log.push(message);
  return connected(server, async (client) => {
    assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['add']);
    const odd = await client.callTool({ name: 'wait' });
    assert.deepEqual([odd.isError, text(odd)], [true, 'denied: nobody allowed it']);
    const failed = await refusal(client.callTool({ name: 'add' }));
    assert.match(failed.message, /access could not be decided$/);
    assert.deepEqual(log, ['the database is down']);
  });
});

test('a_header_can_decide_without_any_credentials', async () => {
  const server = new McpServer(
    { name: 'guarded', version: '1' },
    { authorize: ({ headers }, { name }) => (headers.get('X-User') === 'ann' || name !== 'add' ? 'allow' : 'hide') },
  );
  for (const name of ['add', 'wait']) server.registerTool(name, {}, never);
  const listener = await server.listen({ port: 0 });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const seen = {};
  for (const user of ['ann', 'bob']) {
    const answer = await fetch(listener.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        'x-user': user,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
    });
    const said = JSON.parse((await answer.text()).split('data: ').at(-1));
    assert.equal(said.result?.cacheScope, 'private', JSON.stringify(said));
    seen[user] = said.result.tools.map(({ name }) => name);
  }
  await listener.close();
  await server.close();
  assert.deepEqual(seen, { ann: ['add', 'wait'], bob: ['wait'] });
});

test('two_servers_of_a_program_decide_each_for_itself', () =>
  guarded({ authorize: (_, { name }) => (name === 'add' ? 'hide' : 'allow') }, (one) =>
    guarded({ authorize: (_, { name }) => (name === 'wait' ? 'hide' : 'allow') }, async (two) => {
      const lists = await Promise.all([one, two].map((client) => client.listTools()));
      assert.deepEqual(lists.map(({ tools }) => tools.map(({ name }) => name)), [['wait'], ['add']]);
    }),
  ));

// Audit

for (const to of ['file', 'function', 'async function']) {
  test(`the_audit_has_one_record_per_request_and_never_the_arguments: ${to}`, async () => {
    const records = [];
    const path = join(mkdtempSync(join(tmpdir(), 'mcpbolt-audit-')), 'audit.jsonl');
    const keep = async (record) => {
      await null;
      records.push(record);
    };
    const audit = { file: path, function: (record) => records.push(record), 'async function': keep }[to];
    await guarded({ audit }, async (client) => {
      await client.callTool({ name: 'add', arguments: { pin: 1147110047 } });
      await refusal(client.getPrompt({ name: 'nobody' }));
    });
    const read = () => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const all = () => (to === 'file' ? read() : records);
    // The last record is not lost with the server.
    await until(() => all().some(({ method }) => method === 'prompts/get'));
    const calls = all().filter(({ method }) => method === 'tools/call');
    assert.equal(calls.length, 1);
    assert.deepEqual([calls[0].name, calls[0].outcome], ['add', 'result']);
    assert.match(calls[0].arguments, /^sha256:/);
    assert.equal(all().find(({ method }) => method === 'prompts/get').outcome, 'error');
    assert.doesNotMatch(JSON.stringify(all()), /1147110047/);
  });
}

test('an_audit_sink_that_blocks_holds_up_no_call_and_what_is_lost_is_counted', async () => {
  const records = [];
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  const block = async (record) => {
    await gate;
    records.push(record);
  };
  await guarded({ audit: block, engine: { audit: { queue: 2 } } }, async (client) => {
    for (let n = 0; n < 40; n += 1) assert.equal(text(await client.callTool({ name: 'add' })), 'done');
    go();
  });
  const lost = () => records.reduce((sum, record) => sum + (record.lost ?? 0), 0);
  await until(() => lost() >= 30);
});

// What leaves, and what arrives

test('a_sanitizer_sees_every_content_block_before_it_is_sent', () => {
  const blot = async (method, name, result) => {
    assert.ok(['tools/call add', 'resources/read note://one'].includes(`${method} ${name}`));
    return JSON.parse(JSON.stringify(result).replace('"done"', '"****"').replace('"text":"one"', '"text":"***"'));
  };
  return guarded({ sanitizeResult: blot }, async (client) => {
    assert.equal(text(await client.callTool({ name: 'add' })), '****');
    assert.equal((await client.readResource({ uri: 'note://one' })).contents[0].text, '***');
  });
});

test('what_a_sanitizer_could_not_read_does_not_leave', () => {
  const fail = (_, __, result) => {
    throw new Error(`cannot read ${JSON.stringify(result)}`);
  };
  return guarded({ sanitizeResult: fail }, async (client) => {
    const refused = await refusal(client.callTool({ name: 'add' }));
    assert.doesNotMatch(refused.message, /done/);
  });
});

test('a_result_is_validated_before_it_is_returned', () => {
  const asked = [];
  const validateResult = (method, name, result) => {
    asked.push(`${method} ${name}`);
    return JSON.stringify(result).includes('"done"') ? 'it is done' : null;
  };
  const work = async (client) => {
    const refused = await refusal(client.callTool({ name: 'add' }));
    assert.match(refused.message, /it is done/);
    assert.equal((await client.readResource({ uri: 'note://one' })).contents[0].text, 'one');
    assert.ok(asked.includes('tools/call add'));
  };
  return guarded({}, work, { validateResult });
});

test('results_lists_and_pages_of_a_server_are_capped', () =>
  guarded(
    {},
    async (client) => {
      const refused = await refusal(client.callTool({ name: 'add' }));
      assert.match(refused.message, /max_result_bytes/);
    },
    { engine: { max_result_bytes: 20, validate_result: false } },
  ));

for (const capped of ['max_pages', 'max_list_items']) {
  test(`results_lists_and_pages_of_a_server_are_capped: ${capped}`, () =>
    guarded(
      { engine: { page_size: 1 } },
      async (client) => {
        const all = async () => client.listTools({ cursor: (await client.listTools()).nextCursor });
        assert.match((await refusal(all())).message, new RegExp(capped));
      },
      { engine: { [capped]: 1 } },
    ));
}

test('sampling_inside_of_sampling_is_refused_beyond_its_cap', () => {
  const server = new McpServer({ name: 'muse', version: '1' });
  server.registerTool('muse', {}, async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hm' } }];
    const answer = await server.server.createMessage({ messages, maxTokens: 5 });
    return { content: [answer.content] };
  });
  let asked = 0;
  const work = async (client) => {
    client.setRequestHandler(CreateMessageRequestSchema, async () => {
      asked++;
      const inner = await client.callTool({ name: 'muse' });
      return { role: 'assistant', model: 'm', content: inner.content[0] };
    });
    assert.match(text(await client.callTool({ name: 'muse' })), /nested too deeply/);
    assert.equal(asked, 3);
  };
  return connected(server, work, { capabilities: { sampling: {} }, engine: { max_nested_sampling: 3 } });
});

// What clients learn of what is thrown

const SECRET = '/srv/secret/ledger.db';

const broken = () => {
  throw new Error(`cannot open ${SECRET}: disk 7 is full`);
};

function faulty(options) {
  const server = new McpServer({ name: 'broken', version: '1' }, options);
  server.registerTool('broken', {}, broken);
  server.registerTool('later', {}, async () => broken());
  server.registerTool('meant', {}, () => {
    throw new McpError(ErrorCode.InvalidParams, 'Give a path below /docs.');
  });
  server.registerResource('note', 'note://broken', {}, broken);
  server.registerPrompt('prompt', {}, broken);
  return server;
}

async function told(client) {
  const [first, later, meant] = await Promise.all(
    ['broken', 'later', 'meant'].map((name) => client.callTool({ name })),
  );
  const [note, prompt] = await Promise.all([
    refusal(client.readResource({ uri: 'note://broken' })),
    refusal(client.getPrompt({ name: 'prompt' })),
  ]);
  assert.match(text(meant), /Give a path below \/docs\.$/, 'what is written for the model leaves as it is');
  return { first: text(first), later: text(later), note: note.message, prompt: prompt.message };
}

const MASKED = /internal error \(id ([0-9a-f]{16})\)$/;

test('masked_errors_say_internal_error_with_an_id_that_is_also_in_the_log', async () => {
  for (const options of [{ errorDetail: 'masked' }, { engine: { error_detail: 'masked' } }]) {
    const server = faulty(options);
    const log = [];
    server.server.onerror = (error) => log.push(error.message);
    await connected(server, async (client) => {
      const said = await told(client);
      for (const [name, message] of Object.entries(said)) {
        const id = MASKED.exec(message)?.[1];
        assert.ok(id && log.some((line) => line.includes(id) && line.includes('disk 7')), `${name}: ${message}`);
        assert.doesNotMatch(message, /disk 7/);
      }
    });
  }
});

test('without onerror what is masked is written to stderr', async () => {
  const write = mock.method(console, 'error', () => undefined);
  try {
    await connected(faulty({ errorDetail: 'masked' }), async (client) => {
      const { first } = await told(client);
      const logged = write.mock.calls.map(({ arguments: [error] }) => error.message).join();
      assert.ok(logged.includes(MASKED.exec(first)[1]));
    });
  } finally {
    write.mock.restore();
  }
});

test('masked errors of a low-level server have an id too', async () => {
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {} }, errorDetail: 'masked' });
  const log = [];
  server.onerror = (error) => log.push(error.message);
  server.setRequestHandler(CallToolRequestSchema, broken);
  await connected(server, async (client) => {
    const { message } = await refusal(client.callTool({ name: 'any' }));
    assert.ok(log.join().includes(MASKED.exec(message)[1]));
  });
});

test('masked errors of a server of 2.x have an id too', async () => {
  const server = new v2.McpServer({ name: 'two', version: '1' }, { errorDetail: 'masked' });
  const log = [];
  server.server.onerror = (error) => log.push(error.message);
  server.registerTool('broken', {}, broken);
  await connected(server, async (client) => {
    const message = text(await client.callTool({ name: 'broken' }));
    assert.ok(log.join().includes(MASKED.exec(message)[1]));
  });
});

test('words of errors leave unless it is said otherwise', () =>
  connected(faulty({}), async (client) => {
    const { first, note } = await told(client);
    assert.match(first, /disk 7/);
    // Errors of the protocol never name paths.
    assert.match(note, /disk 7/);
    assert.doesNotMatch(note, /secret/);
  }));
