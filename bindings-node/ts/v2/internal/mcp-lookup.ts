/**
 * What a request of a high-level server is about. Owns: looking it up. Must not know: what is done
 * with it.
 */
import type { Prompts } from '../../common/mcp/prompts';
import { find } from '../../common/mcp/records';
import type { Resources } from '../../common/mcp/resources';
import type { Tools } from '../../common/mcp/tools';
import type { Challenging } from './mcp-face';
import type { RegisteredTemplateOf } from './mcp-types';
import type { ResourceTemplate } from './template';

/** A registered resource template; changes to it reach clients at once. */
export type RegisteredResourceTemplate = RegisteredTemplateOf<ResourceTemplate>;

/** The template that a URI matches, unless a resource has exactly this URI. */
export function templateOf(resources: Resources<never>, uri: string): RegisteredResourceTemplate | undefined {
  const text = new URL(uri).toString();
  if (find(resources.table, text) !== undefined) return undefined;
  const all = Object.values(resources.templates) as unknown as RegisteredResourceTemplate[];
  return all.find(({ resourceTemplate }) => resourceTemplate.uriTemplate.match(text));
}

/** The tool, prompt, resource or template that a request names. */
export function thingOf(
  tools: Tools,
  prompts: Prompts,
  resources: Resources<never>,
  method: string,
  { name, uri }: { name?: unknown; uri?: unknown },
): Challenging | undefined {
  if (method === 'tools/call') return find(tools.table, String(name));
  if (method === 'prompts/get') return find(prompts.table, String(name));
  if (method !== 'resources/read' || !URL.canParse(String(uri))) return undefined;
  return find(resources.table, new URL(String(uri)).toString()) ?? templateOf(resources, String(uri));
}
