// What a host application does with the sessions of its servers, step by step.

import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport, type StdioServerParameters } from 'mcpbolt/client/stdio.js';
import { ToolListChangedNotificationSchema, type ContentBlock, type Tool } from 'mcpbolt/types.js';

/** What the model knows. */
export class Conversation {
  tools: Tool[] = [];
  results: ContentBlock[] = [];
  told = 0;

  registerAvailableTools(tools: Tool[]) {
    this.tools = tools;
  }

  addToolResult(content: ContentBlock[]) {
    this.results.push(...content);
  }

  isActive() {
    return true;
  }

  notifyLlmOfNewCapabilities() {
    this.told += 1;
  }
}

/** The sessions, and which tool is whose. */
export class Application {
  conversation = new Conversation();
  ready: Client[] = [];
  #sessions: Client[] = [];
  #tools = new Map<string, Client>();

  registerMcpServer(session: Client, { supportsTools }: { supportsTools: boolean }) {
    if (supportsTools) this.#sessions.push(session);
  }

  setServerReady(session: Client) {
    this.ready.push(session);
  }

  mcpServerSessions() {
    return this.#sessions;
  }

  updateAvailableTools(session: Client, tools: Tool[]) {
    for (const [name, owner] of this.#tools) if (owner === session) this.#tools.delete(name);
    for (const tool of tools) this.#tools.set(tool.name, session);
  }

  findMcpSessionForTool(name: string) {
    return this.#tools.get(name);
  }
}

/** Shakes hands with a server, and takes it up. */
export async function connected(app: Application, serverConfig: StdioServerParameters) {
  const session = new Client({ name: 'application', version: '0.1.0' }, { capabilities: {} });
  const changed = new Promise<void>((resolve) => {
    session.setNotificationHandler(ToolListChangedNotificationSchema, async () => resolve());
  });
  await session.connect(new StdioClientTransport(serverConfig));
  if (session.getServerCapabilities().tools) {
    app.registerMcpServer(session, { supportsTools: true });
  }
  app.setServerReady(session);
  return { session, changed };
}

/** Tells the model what there is. */
export async function discover(app: Application) {
  const availableTools: Tool[] = [];
  for (const session of app.mcpServerSessions()) {
    const toolsResponse = await session.listTools();
    availableTools.push(...toolsResponse.tools);
    app.updateAvailableTools(session, toolsResponse.tools);
  }
  app.conversation.registerAvailableTools(availableTools);
}

/** Does what the model wants. */
export async function handleToolCall(app: Application, conversation: Conversation, toolName: string, args: {}) {
  const session = app.findMcpSessionForTool(toolName);
  const result = await session.callTool({ name: toolName, arguments: args });
  conversation.addToolResult(result.content as ContentBlock[]);
}

/** Asks again, since the tools are others now. */
export async function handleToolsChangedNotification(app: Application, session: Client) {
  const toolsResponse = await session.listTools();
  app.updateAvailableTools(session, toolsResponse.tools);
  if (app.conversation.isActive()) {
    app.conversation.notifyLlmOfNewCapabilities();
  }
}
