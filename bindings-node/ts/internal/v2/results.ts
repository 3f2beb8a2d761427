/**
 * What each method of the protocol is answered with. Owns: the schema for a method's
 * result. Must not know: who asks.
 */
import {
  CompleteResultSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListRootsResultSchema,
  ReadResourceResultSchema,
  ResultSchema,
} from '../../types';
import { specSchema, specSchemaOf2 } from '../schema';

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
  'sampling/createMessage': specSchemaOf2('CreateMessageResultWithTools'),
  'server/discover': specSchema('DiscoverResult'),
  'tools/call': specSchemaOf2('CallToolResult'),
  'tools/list': specSchemaOf2('ListToolsResult'),
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
