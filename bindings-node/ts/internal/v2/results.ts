/** The results of the protocol's methods. Owns: the result schema of each method. Must not know: who sends requests. */
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

/** The part of a schema that is used here: that it parses. */
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

/**
 * The result schema of a method.
 *
 * @throws TypeError for methods that the protocol does not define.
 */
export function resultSchemaFor(method: string): AnySchema {
  const schema = RESULTS[method];
  if (schema === undefined) {
    throw new TypeError(`'${method}' is not a spec method; pass a result schema as the second argument to request().`);
  }
  return schema as AnySchema;
}
