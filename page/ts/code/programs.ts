// Whole programs that make a request again, one for each language of mcpbolt.
//
// Owns: what such a program looks like. Must not know: the page around it.

import type { Json, JsonObject } from '../json';
import { literal, quoted, quotedInBraces, type Dialect } from './literal';

/** A request, as far as programs repeat it. */
export interface Request {
  method: 'tools/call' | 'resources/read' | 'prompts/get';
  /** The tool, the prompt, or the URI. */
  name: string;
  given: JsonObject;
}

export type Target = { url: string } | { command: string[] };

export interface Language {
  name: string;
  program(request: Request, target: Target): string;
}

const PYTHON: Dialect = { text: quoted, yes: 'True', no: 'False', nothing: 'None', list: ['[', ']'], object: ['{', '}'], is: ': ' };
const SCRIPT: Dialect = { text: quoted, yes: 'true', no: 'false', nothing: 'null', list: ['[', ']'], object: ['{ ', ' }'], empty: '{}', is: ': ', bare: /^[A-Za-z_$][\w$]*$/ };
const RUST: Dialect = { text: quotedInBraces, yes: 'true', no: 'false', nothing: 'null', list: ['[', ']'], object: ['{', '}'], is: ': ' };
const KOTLIN: Dialect = { text: (words) => quoted(words).replaceAll('$', '\\$').replaceAll('\\f', '\\u000c'), yes: 'true', no: 'false', nothing: 'null', list: ['listOf(', ')'], object: ['mapOf(', ')'], empty: 'emptyMap()', is: ' to ' };
const SWIFT: Dialect = { text: quotedInBraces, yes: 'true', no: 'false', nothing: 'nil', list: ['[', ']'], object: ['[', ']'], empty: '[:]', is: ': ' };

/** Where the server is, in a language: a URL, or a program and its arguments. */
function where(target: Target, url: (url: string) => string, command: (program: string, rest: string[]) => string): string {
  if ('url' in target) return url(target.url);
  const [program = '', ...rest] = target.command;
  return command(program, rest);
}

function python({ method, name, given }: Request, target: Target): string {
  const words = (value: Json) => literal(value, PYTHON, '        ', '    ');
  const call = {
    'tools/call': `call_tool(${quoted(name)}, ${words(given)})`,
    'resources/read': `read_resource(${quoted(name)})`,
    'prompts/get': `get_prompt(${quoted(name)}, ${words(given)})`,
  }[method];
  const server = where(target, quoted, (program, rest) => `StdioServerParameters(command=${quoted(program)}, args=${literal(rest, PYTHON, '', '    ')})`);
  return `import asyncio

from mcpbolt import Client${'url' in target ? '' : ', StdioServerParameters'}

SERVER = ${server}


async def main() -> None:
    async with Client(SERVER) as client:
        result = await client.${call}
        print(result.model_dump_json(indent=2, exclude_none=True))


asyncio.run(main())
`;
}

function typescript({ method, name, given }: Request, target: Target): string {
  const params = literal(method === 'resources/read' ? { uri: name } : { name, arguments: given }, SCRIPT, '  ', '  ');
  const call = { 'tools/call': 'callTool', 'resources/read': 'readResource', 'prompts/get': 'getPrompt' }[method];
  const [imported, transport] = where(
    target,
    (url) => `StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js'|new StreamableHTTPClientTransport(new URL(${quoted(url)}))`,
    (program, rest) => `StdioClientTransport } from 'mcpbolt/client/stdio.js'|new StdioClientTransport({ command: ${quoted(program)}, args: ${literal(rest, SCRIPT, '', '  ')} })`,
  ).split(/\|(.*)/s);
  return `import { Client } from 'mcpbolt/client/index.js';
import { ${imported};

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(${transport});
try {
  const result = await client.${call}(${params});
  console.log(JSON.stringify(result, null, 2));
} finally {
  await client.close();
}
`;
}

function rust({ method, name, given }: Request, target: Target): string {
  const text = quotedInBraces;
  const args = Object.entries(given).map(([key, value]) => `.argument(${text(key)}, ${text(String(value))})`);
  const call = {
    'tools/call': `call_tool(${text(name)}, json!(${literal(given, RUST, '        ', '    ')}))`,
    'resources/read': `read_resource(${text(name)})`,
    'prompts/get': `get_prompt(GetPromptParams::new(${text(name)})${args.join('')})`,
  }[method];
  const uses = { 'tools/call': 'use serde_json::json;\n', 'resources/read': '', 'prompts/get': '' }[method];
  const server = where(target, text, (program, rest) => `Command::new(${text(program)})${rest.map((arg) => `.arg(${text(arg)})`).join('')}`);
  return `use mcpbolt::client::{Client${'url' in target ? '' : ', Command'}};
${method === 'prompts/get' ? 'use mcpbolt::types::GetPromptParams;\n' : ''}${uses}
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::builder("example", "1.0.0").build();
    let session = client.connect(${server}).await?;
    let result = session.${call}.await?;
    println!("{}", serde_json::to_string_pretty(&result)?);
    session.close().await;
    Ok(())
}
`;
}

function kotlin({ method, name, given }: Request, target: Target): string {
  const words = (value: Json) => literal(value, KOTLIN, '    ', '    ');
  const text = KOTLIN.text;
  const call = {
    'tools/call': `callTool(${text(name)}, ${words(given)})`,
    'resources/read': `readResource(ReadResourceRequest(ReadResourceRequestParams(${text(name)})))`,
    'prompts/get': `getPrompt(GetPromptRequest(GetPromptRequestParams(${text(name)}, ${words(given)})))`,
  }[method];
  const params = { 'tools/call': [], 'resources/read': ['ReadResourceRequest', 'ReadResourceRequestParams'], 'prompts/get': ['GetPromptRequest', 'GetPromptRequestParams'] }[method];
  const transport = where(
    target,
    (url) => `StreamableHttpClientTransport(${text(url)})`,
    (program, rest) => `StdioClientTransport(${text(program)}, ${rest.length === 0 ? 'emptyList()' : literal(rest, KOTLIN, '', '    ')})`,
  );
  const imports = ['Client', 'Implementation', ...params, transport.slice(0, transport.indexOf('('))].sort();
  return `${imports.map((one) => `import dev.mcpbolt.${one}\n`).join('')}import kotlinx.coroutines.runBlocking

fun main(): Unit = runBlocking {
    val client = Client(Implementation("example", "1.0.0"))
    client.connect(${transport})
    val result = client.${call}
    println(result.json)
    client.close()
}
`;
}

function swift({ method, name, given }: Request, target: Target): string {
  const words = (value: Json) => literal(value, SWIFT, '', '    ');
  const text = quotedInBraces;
  const call = {
    'tools/call': `callTool(name: ${text(name)}, arguments: ${words(given)})`,
    'resources/read': `readResource(uri: ${text(name)})`,
    'prompts/get': `getPrompt(name: ${text(name)}, arguments: ${words(given)})`,
  }[method];
  const transport = where(
    target,
    (url) => `HTTPClientTransport(endpoint: URL(string: ${text(url)})!)`,
    (program, rest) => `StdioClientTransport(command: ${text(program)}, args: ${literal(rest, SWIFT, '', '    ')})`,
  );
  return `import Foundation
import MCPBolt

let client = Client(name: "example", version: "1.0.0")
_ = try await client.connect(transport: ${transport})
let result = try await client.${call}
print(result)
await client.disconnect()
`;
}

/** The languages, in the order they are offered. */
export const LANGUAGES: Language[] = [
  { name: 'Python', program: python },
  { name: 'TypeScript', program: typescript },
  { name: 'Rust', program: rust },
  { name: 'Kotlin', program: kotlin },
  { name: 'Swift', program: swift },
];
