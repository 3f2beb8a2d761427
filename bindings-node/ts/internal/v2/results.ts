/**
 * What each method of the protocol takes and is answered with. Owns: the schemas for a
 * method's request and result. Must not know: who asks.
 */
import {
  CallToolResultSchema,
  CompleteResultSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListRootsResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  ResultSchema,
} from '../../types';
import { specSchema, type AnySpecSchema } from '../schema';

/** What is asked of a schema here: that it parses. */
type AnySchema = typeof ResultSchema;

const RESULTS: Record<string, unknown> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'completion/complete': CompleteResultSchema,
  'elicitation/create': ElicitResultSchema,
  'logging/setLevel': EmptyResultSchema,
  'prompts/get': GetPromptResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'resources/subscribe': EmptyResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/unsubscribe': EmptyResultSchema,
  'roots/list': ListRootsResultSchema,
  'sampling/createMessage': CreateMessageResultWithToolsSchema,
  'server/discover': specSchema('DiscoverResult'),
  'tools/call': CallToolResultSchema,
  'tools/list': ListToolsResultSchema,
};

/** The schema of a method's result.
 *
 * @throws TypeError for methods that are not the protocol's own.
 */
export function resultSchemaFor(method: string): AnySchema {
  const schema = RESULTS[method];
  if (schema === undefined) {
    throw new TypeError(`'${method}' is not a spec method; pass a result schema as the second argument to request().`);
  }
  return schema as AnySchema;
}

/** Names of the types of requests; questions to clients are judged where their answers are. */
const REQUESTS: Record<string, string> = {
  'completion/complete': 'CompleteRequest',
  'logging/setLevel': 'SetLevelRequest',
  'prompts/get': 'GetPromptRequest',
  'prompts/list': 'ListPromptsRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/read': 'ReadResourceRequest',
  'resources/subscribe': 'SubscribeRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/unsubscribe': 'UnsubscribeRequest',
  'tools/call': 'CallToolRequest',
  'tools/list': 'ListToolsRequest',
};

/** The schema of a method's request; nothing for methods that are judged elsewhere, or are a program's own. */
export function requestSchemaFor(method: string): AnySpecSchema<unknown> | undefined {
  const name = REQUESTS[method];
  return name === undefined ? undefined : specSchema(name);
}
