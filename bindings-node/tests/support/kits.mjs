// The same names from the official package and from ours, to run one program on both.
import * as officialMcp from '@modelcontextprotocol/sdk/server/mcp.js';
import * as officialCompletable from '@modelcontextprotocol/sdk/server/completable.js';
import * as officialTypes from '@modelcontextprotocol/sdk/types.js';
import * as officialServer from '@modelcontextprotocol/sdk/server/index.js';
import * as mcp from 'mcpbolt/server/mcp.js';
import * as completable from 'mcpbolt/server/completable.js';
import * as types from 'mcpbolt/types.js';
import * as server from 'mcpbolt/server/index.js';

const withOptions = (McpServer, more) => (info, options) => new McpServer(info, { ...options, ...more });

/** The official package. */
export const official = {
  name: 'official',
  ...officialMcp,
  ...officialCompletable,
  ...officialTypes,
  ...officialServer,
  server: withOptions(officialMcp.McpServer, {}),
};

/** Ours; the engine answers what it can. */
export const ours = { name: 'ours', ...mcp, ...completable, ...types, ...server, server: withOptions(mcp.McpServer, {}) };

/** Ours, with every method answered by JavaScript. */
export const oursSlow = {
  ...ours,
  name: 'ours, fast_path off',
  server: withOptions(mcp.McpServer, { engine: { fast_path: false } }),
};
