// The same parts from both packages, for programs that run on either.
import * as ourServer from 'mcpbolt/server/index.js';
import * as ourMemory from 'mcpbolt/inMemory.js';
import * as ourTypes from 'mcpbolt/types.js';
import * as ourProtocol from 'mcpbolt/shared/protocol.js';
import * as theirServer from '@modelcontextprotocol/sdk/server/index.js';
import * as theirMemory from '@modelcontextprotocol/sdk/inMemory.js';
import * as theirTypes from '@modelcontextprotocol/sdk/types.js';
import * as theirProtocol from '@modelcontextprotocol/sdk/shared/protocol.js';

export const ours = { name: 'mcpbolt', ...ourServer, ...ourMemory, ...ourTypes, ...ourProtocol };
export const theirs = { name: 'official', ...theirServer, ...theirMemory, ...theirTypes, ...theirProtocol };
export const both = [ours, theirs];
