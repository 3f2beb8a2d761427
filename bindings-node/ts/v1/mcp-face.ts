/** The errors and messages of the 1.x high-level server. Owns: which there are. Must not know: when they are due. */
import type { Face } from '../common/mcp/face';
import { messageOf } from '../common/mcp/schemas';
import { MISSING_CLIENT_CAPABILITY } from '../engine/server/ask';
import { ErrorCode, McpError } from '../protocol/mcp-error';

/** The legacy era's error code for an unknown resource. */
const RESOURCE_NOT_FOUND = -32002;

/** What the 1.x face decides for tools, prompts and resources. */
export const FACE: Face = {
  fault: (code, text, data) => new McpError(code, text, data),
  unknownResource: (uri, modern) => unknown(uri, new URL(uri).toString(), modern),
  passes: (error) =>
    (error instanceof McpError && error.code === ErrorCode.UrlElicitationRequired) ||
    (error as { code?: unknown } | undefined)?.code === MISSING_CLIENT_CAPABILITY,
  isMeant: (error) => error instanceof McpError && error.code !== ErrorCode.InternalError,
  explain: messageOf,
  hasOutput: (result) => 'content' in result,
  modern: false,
};

/**
 * The same for servers that hide resources: a resource that does not exist is named in the client's spelling, as the
 * engine names one that is hidden.
 */
export const HIDING: Face = { ...FACE, unknownResource: (uri, modern) => unknown(uri, uri, modern) };

function unknown(uri: string, shown: string, modern: boolean): McpError {
  const words = `Resource ${shown} not found`;
  const error = new McpError(modern ? ErrorCode.InvalidParams : RESOURCE_NOT_FOUND, words, { uri });
  // The same message in both eras, equal to that for hidden resources.
  error.message = `MCP error ${RESOURCE_NOT_FOUND}: ${words}`;
  return error;
}
