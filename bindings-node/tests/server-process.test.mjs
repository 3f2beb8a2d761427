// Servers as processes: how long they live, how they end, who has the standard streams.
import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ENDED } from './support/bounds.mjs';
import { Program, stdioServer } from './support/process.mjs';
import { within } from './support/peer.mjs';

const ECHO = 'return text(params.arguments.text)';
const said = ({ result, error }) => error ?? result.content[0].text;
/** Every way to have the standard streams: the engine's, and those that JavaScript reads. */
const WAYS = {
  'read by the engine': {},
  'used by the program before': { before: "process.stdin.on('error', () => undefined);" },
  'waited for by the program before the package was loaded': { before: "process.stdin.on('end', () => undefined);" },
  'given as streams': { transport: 'new StdioServerTransport(process.stdin, process.stdout)' },
  'with a function of the program in the place of stdout.write': {
    before: 'const replace = ({ stdout }) => { const write = stdout.write.bind(stdout); stdout.write = (...parts) => write(...parts); };',
    transport: '(replace(process), new StdioServerTransport())',
  },
  'watched by functions that were put in its place after connecting': {
    after: `
      const { onmessage, send } = transport;
      transport.onmessage = (message, extra) => onmessage.call(transport, message, extra);
      transport.send = (message, options) => send.call(transport, message, options);`,
  },
  'behind a wrapped transport': { after: '', transport: 'wrapped(new StdioServerTransport())', before: 'const wrapped = (t) => { const send = t.send.bind(t); t.send = (m) => send(m); return t; };' },
};

describe('processes', { concurrency: 4 }, () => {
  for (const [name, way] of Object.entries(WAYS)) {
    test(`standard streams ${name}: it lives while input is open, and ends with it at once`, async () => {
      const program = new Program(stdioServer(ECHO, way));
      await program.open();
      assert.equal(said(await program.call('a', { text: 'ä🦀\n' })), 'ä🦀\n');
      assert.equal(program.child.exitCode, null);
      program.child.stdin.end();
      assert.deepEqual(await program.end(), { code: 0, signal: null });
      assert.equal(program.errors, '');
    });

    test(`standard streams ${name}: what is said right after connecting is no failure`, async () => {
      const logs = "await server.sendLoggingMessage({ level: 'info', data: 'early' });";
      const tells = "await server.notification({ method: 'notifications/message', params: { level: 'info', data: 'early' } });";
      const transport = `(server.registerCapabilities({ logging: {} }), ${way.transport ?? 'new StdioServerTransport()'})`;
      const program = new Program(stdioServer(ECHO, { ...way, transport, after: [way.after, logs, tells].join('\n') }));
      await program.open();
      assert.equal(said(await program.call('a', { text: 'late' })), 'late');
      program.child.stdin.end();
      assert.deepEqual(await program.end(), { code: 0, signal: null });
    });

    test(`standard streams ${name}: calls that wait do not keep it`, async () => {
      const program = new Program(stdioServer("server.sendLoggingMessage; console.error('started'); await new Promise(() => {})", way));
      await program.open();
      program.say({ id: 1, method: 'tools/call', params: { name: 'a' } });
      await within(new Promise((resolve) => program.child.stderr.once('data', resolve)), 'the start');
      program.child.stdin.end();
      assert.deepEqual(await program.end(2 * ENDED), { code: 0, signal: null });
    });

    test(`standard streams ${name}: what the program has open does not keep it longer than the grace`, async () => {
      const program = new Program(stdioServer(ECHO, { ...way, after: `${way.after ?? ''}; setInterval(() => undefined, 1000);` }));
      await program.open();
      program.child.stdin.end();
      assert.deepEqual(await program.end(2 * ENDED), { code: 0, signal: null });
    });

    test(`standard streams ${name}: Ctrl-C ends it at once`, async () => {
      const program = new Program(stdioServer(ECHO, way));
      await program.open();
      program.child.kill('SIGINT');
      assert.deepEqual(await program.end(), { code: null, signal: 'SIGINT' });
    });

    test(`standard streams ${name}: close() ends it, and what was answered is written`, async () => {
      const tool = "if (params.name === 'close') setImmediate(() => server.close()); return text('bye'.repeat(10000))";
      const program = new Program(stdioServer(tool, way));
      await program.open();
      assert.equal(said(await program.call('close')).length, 30000);
      program.child.stdin.end();
      assert.deepEqual(await program.end(), { code: 0, signal: null });
    });
  }

  test('process.exit in a handler, and in a signal handler', async () => {
    const exits = new Program(stdioServer('process.exit(7)'));
    await exits.open();
    exits.say({ id: 1, method: 'tools/call', params: { name: 'a' } });
    assert.deepEqual(await exits.end(), { code: 7, signal: null });
    const after = "process.on('SIGTERM', async () => { await server.close(); process.exit(3); });";
    const stops = new Program(stdioServer(ECHO, { after }));
    await stops.open();
    stops.child.kill('SIGTERM');
    assert.deepEqual(await stops.end(), { code: 3, signal: null });
  });

  for (const [name, transport] of [['read by the engine'], ['given as streams', 'new StdioServerTransport(process.stdin, process.stdout)']]) {
    test(`standard streams ${name}: SIGTERM together with the end of input ends a program that only closes its server then`, async () => {
      const after = "process.on('SIGTERM', () => (server.close(), setTimeout(() => console.error('still'), 1500))); setInterval(() => undefined, 1000);";
      for (const order of ['signal first', 'end first', 'the signal well before']) {
        const program = new Program(stdioServer(ECHO, { after, ...(transport && { transport }) }));
        await program.open();
        if (order === 'end first') program.child.stdin.end();
        program.child.kill('SIGTERM');
        if (order === 'signal first') program.child.stdin.end();
        if (order === 'the signal well before') {
          // The host is still there, so that the program goes on.
          await within(new Promise((resolve) => program.child.stderr.on('data', () => program.errors.includes('still') && resolve())), 'a sign of life');
          program.child.stdin.end();
        }
        assert.deepEqual(await program.end(2 * ENDED), { code: 0, signal: null }, order);
      }
    });
  }

  test('an exception of the program ends it as ever', async () => {
    const program = new Program(stdioServer("setImmediate(() => { throw new Error('mine'); }); return text('ok')"));
    await program.open();
    program.say({ id: 1, method: 'tools/call', params: { name: 'a' } });
    assert.equal((await program.end()).code, 1);
    assert.match(program.errors, /Error: mine/);
  });

  test('the program hears of the end of input: end and close of process.stdin, onclose', async () => {
    const after = `
      server.onclose = () => console.error('onclose');
      process.stdin.on('end', () => console.error('end')).on('close', () => console.error('close')).resume();`;
    const program = new Program(stdioServer(ECHO, { after }));
    await program.open();
    assert.equal(said(await program.call('a', { text: 'x' })), 'x');
    assert.equal(program.errors, '');
    program.child.stdin.end();
    assert.equal((await program.end()).code, 0);
    assert.deepEqual(program.errors.trim().split('\n').sort(), ['close', 'end', 'onclose']);
  });

  test('the program hears of the end where it asked before the package was loaded, from a pipe and from a file', async () => {
    const before = "process.stdin.on('end', () => console.error('end')).on('close', () => { console.error('close'); process.exit(5); });";
    const text = stdioServer(ECHO, { before, after: 'setInterval(() => undefined, 1000);' });
    const piped = new Program(text);
    await piped.open();
    assert.equal(said(await piped.call('a', { text: 'x' })), 'x');
    piped.child.stdin.end();
    assert.deepEqual(await piped.end(), { code: 5, signal: null });
    assert.deepEqual(piped.errors.trim().split('\n'), ['end', 'close']);
    const folder = mkdtempSync(join(tmpdir(), 'input-'));
    const script = join(folder, 'script.jsonl');
    writeFileSync(script, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    const filed = new Program(text, { stdin: openSync(script) });
    assert.equal((await filed.answer(1)).id, 1);
    assert.deepEqual(await filed.end(2 * ENDED), { code: 0, signal: null });
    assert.match(filed.errors, /end/);
    rmSync(folder, { recursive: true });
  });

  test('after the end of input a program goes on that serves others, closed it itself or says so', async () => {
    const goesOn = "setInterval(() => undefined, 1000); process.stdin.on('end', () => setTimeout(() => { console.error('on'); process.exit(4); }, 1500)).resume();";
    const ways = {
      'a server of its own': { after: `(await import('node:http')).createServer().listen(0, '127.0.0.1'); ${goesOn}` },
      'a server of ours': { after: `await new Server({ name: 'b', version: '1' }).listen({ port: 0 }); ${goesOn}` },
      'it says so': { transport: 'new StdioServerTransport(undefined, undefined, { keepProcess: true })', after: goesOn },
    };
    for (const [name, way] of Object.entries(ways)) {
      const program = new Program(stdioServer(ECHO, way));
      await program.open();
      program.child.stdin.end();
      assert.deepEqual(await program.end(3 * ENDED), { code: 4, signal: null }, `${name}: ${program.errors}`);
    }
    const closes = "console.error('closed'); setImmediate(async () => { await server.close(); setTimeout(() => process.exit(4), 1500); })";
    const closed = new Program(stdioServer(`${closes}; return text('x')`, { after: 'setInterval(() => undefined, 1000);' }));
    await closed.open();
    await closed.call('a');
    closed.child.stdin.end();
    assert.deepEqual(await closed.end(3 * ENDED), { code: 4, signal: null });
  });

  test('the factory of serveStdio does not keep the process either', async () => {
    const serve = (parameters) => `
      const { McpServer } = await import('mcpbolt/v2/server');
      const { serveStdio } = await import('mcpbolt/v2/server/stdio');
      serveStdio((${parameters}) => new McpServer({ name: 'f', version: '1' }));
      setInterval(() => undefined, 1000);`;
    for (const parameters of ['', 'context']) {
      const program = new Program(serve(parameters));
      await program.open();
      program.child.stdin.end();
      assert.deepEqual(await program.end(2 * ENDED), { code: 0, signal: null }, parameters);
    }
  });

  test('serveStdio that is closed before the first message reads and makes nothing', async () => {
    const text = `
      const { McpServer } = await import('mcpbolt/v2/server');
      const { serveStdio } = await import('mcpbolt/v2/server/stdio');
      const handle = serveStdio((context) => {
        console.log('made');
        return new McpServer({ name: 'f', version: '1' });
      });
      await handle.close();
      console.log('closed');`;
    const program = new Program(text);
    await program.until(() => program.lines.includes('closed'));
    // Its input stays open.
    assert.deepEqual(await program.end(2 * ENDED), { code: 0, signal: null });
    assert.deepEqual(program.lines, ['closed']);
  });

  test('serveStdio that is closed in the middle lets the program end', async () => {
    const text = `
      const { McpServer } = await import('mcpbolt/v2/server');
      const { serveStdio } = await import('mcpbolt/v2/server/stdio');
      const handle = serveStdio((context) => {
        const server = new McpServer({ name: 'f', version: '1' });
        server.registerTool('leave', {}, () => {
          setTimeout(() => handle.close(), 1);
          return { content: [{ type: 'text', text: 'soon' }] };
        });
        return server;
      });`;
    const program = new Program(text);
    await program.open();
    await program.call('leave');
    assert.deepEqual(await program.end(2 * ENDED), { code: 0, signal: null });
  });

  test('closed before it began, and served by another transport then', async () => {
    const after = `
      server.onclose = () => console.error('closed');
      await server.close();
      await transport.start().catch((error) => console.error(error.message.slice(0, 36)));
      const again = new StdioServerTransport();
      await server.connect(again);
      await server.connect(new StdioServerTransport()).catch((error) => console.error(error.message));`;
    const program = new Program(stdioServer(ECHO, { after }));
    await program.open();
    assert.equal(said(await program.call('a', { text: 'x' })), 'x');
    program.child.stdin.end();
    assert.equal((await program.end()).code, 0);
    const busy = 'standard input and output are already in use by a server';
    assert.deepEqual(program.errors.trim().split('\n'), ['closed', 'StdioServerTransport already started', busy, 'closed']);
  });

  test('what callbacks of the transport throw ends nothing', async () => {
    const after = "transport.onclose = () => { throw new Error('closing'); }; server.onerror = ({ message }) => console.error(message);";
    const program = new Program(stdioServer(ECHO, { after }));
    await program.open();
    assert.equal(said(await program.call('a', { text: 'x' })), 'x');
    program.child.stdin.end();
    assert.deepEqual(await program.end(), { code: 0, signal: null });
    assert.equal(program.errors.trim(), 'closing');
  });

  test('what the program prints does not disturb the messages', async () => {
    const program = new Program(stdioServer("console.log('stray'); process.stdout.write('more\\n'); return text('ok')", { after: "console.log('start')" }));
    await program.open();
    assert.equal(said(await program.call('a')), 'ok');
    program.child.stdin.end();
    await program.end();
    assert.equal(program.lines.length, 2);
    assert.match(program.errors, /start\nstray\nmore/);
  });

  test('a program that looks at what goes to stdout sees the messages, and may add its own', async () => {
    const before = `const replace = ({ stdout }) => {
      const write = stdout.write.bind(stdout);
      const note = (data) => write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } }) + '\\n');
      stdout.write = (chunk, ...rest) => (String(chunk).startsWith('{') ? write(chunk, ...rest) : note(String(chunk).trim()));
    };`;
    const transport = '(replace(process), new StdioServerTransport())';
    const program = new Program(stdioServer("console.log('stray'); return text('ok')", { before, transport }));
    await program.open();
    assert.equal(said(await program.call('a')), 'ok');
    program.child.stdin.end();
    await program.end();
    assert.equal(program.errors, '');
    assert.deepEqual(program.messages.filter(({ method }) => method).map(({ params }) => params.data), ['stray']);
  });

  test('a finished program ends although it had servers', async () => {
    const program = new Program(`
      import { Server } from 'mcpbolt/server/index.js';
      import { InMemoryTransport } from 'mcpbolt/inMemory.js';
      for (const closed of [true, false]) {
        const server = new Server({ name: 'a', version: '1' }, { capabilities: { tools: {} } });
        const [far, near] = InMemoryTransport.createLinkedPair();
        await server.connect(near);
        const answered = new Promise((resolve) => (far.onmessage = resolve));
        far.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
        console.log(JSON.stringify(await answered));
        if (closed) await server.close();
      }`);
    assert.deepEqual(await program.end(), { code: 0, signal: null });
    assert.deepEqual(program.messages, Array(2).fill({ jsonrpc: '2.0', id: 1, result: {} }));
  });

  test('functions put in the place of onmessage and send after connecting see every message', async () => {
    const after = `
      const seen = [];
      for (const name of ['onmessage', 'send']) {
        const inner = transport[name];
        transport[name] = (message, ...rest) => { seen.push(name + ' ' + (message.method ?? message.id)); return inner.call(transport, message, ...rest); };
      }
      server.onclose = () => console.error(seen.join(', '));`;
    const program = new Program(stdioServer(ECHO, { after }));
    await program.open();
    await program.call('a', { text: 'x' });
    program.child.stdin.end();
    assert.equal((await program.end()).code, 0);
    assert.equal(program.errors.trim(), 'onmessage initialize, send open, onmessage notifications/initialized, onmessage tools/call, send a');
  });

  test('a fallback takes what nobody registered, on standard streams, too', async () => {
    const before = "const fallback = async ({ method, id, params }) => ({ method, id, params });";
    const transport = '(server.fallbackRequestHandler = fallback, new StdioServerTransport())';
    const program = new Program(stdioServer(ECHO, { before, transport }));
    await program.open();
    program.say({ id: 5, method: 'acme/any', params: { a: 1 } });
    assert.deepEqual((await program.answer(5)).result, { method: 'acme/any', id: 5, params: { a: 1 } });
    assert.equal(said(await program.call('a', { text: 'x' })), 'x');
    program.child.stdin.end();
    assert.equal((await program.end()).code, 0);
  });

  test('servers in worker threads, one after the other and side by side, ended while they serve', async () => {
    const program = new Program("await import('./programs/workers.mjs')");
    assert.deepEqual(await program.end(5 * ENDED), { code: 0, signal: null }, program.errors);
    const names = program.messages.map((result) => result.content[0].text);
    assert.deepEqual(names.sort(), ['five', 'four', 'one', 'three', 'two']);
  });
});
