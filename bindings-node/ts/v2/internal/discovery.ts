/**
 * What a client learned about a server, as `server/discover` says it. Owns: the form. Must not know:
 * how it was learned.
 */
import type { DiscoverResult } from '../../generated/types';
import type { Implementation, ServerCapabilities } from '../../protocol/types';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** The facts in the result of a discovery. */
export function factsOf({ capabilities, instructions, _meta }: DiscoverResult): {
  capabilities: ServerCapabilities;
  instructions: string | undefined;
  version: Implementation | undefined;
} {
  return { capabilities, instructions, version: _meta?.[SERVER_INFO] as Implementation | undefined };
}

/** Facts in the form of a discovery's result. */
export function discoveredAs(
  revision: string,
  capabilities: ServerCapabilities | undefined,
  instructions: string | undefined,
  version: Implementation | undefined,
): DiscoverResult {
  return {
    supportedVersions: [revision],
    capabilities: capabilities ?? {},
    ...(instructions !== undefined && { instructions }),
    ...(version !== undefined && { _meta: { [SERVER_INFO]: version } }),
  } as DiscoverResult;
}
