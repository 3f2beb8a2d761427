/**
 * Experimental features of the high-level server. Owns: registering tools that run as tasks. Must
 * not know: how tasks are stored.
 */
import type { ToolAnnotations, ToolExecution } from '../protocol/types';
import type { RegisteredTool, ToolSchema, ToolTaskHandler } from '../common/mcp/types';

/** The definition of a tool that runs as a task. */
export interface TaskToolConfig<Args extends undefined | ToolSchema> {
  title?: string;
  description?: string;
  inputSchema?: Args;
  outputSchema?: ToolSchema;
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
  _meta?: Record<string, unknown>;
}

interface Registering {
  _createRegisteredTool(name: string, ...parts: unknown[]): RegisteredTool;
}

/**
 * Registers tools that run as tasks: `server.experimental.tasks`.
 *
 * @experimental
 */
export class ExperimentalMcpServerTasks {
  readonly #server: Registering;

  /**
   * Creates access to the tasks of this server.
   * @param mcpServer - The server.
   */
  constructor(mcpServer: object) {
    this.#server = mcpServer as Registering;
  }

  /**
   * Registers a tool whose calls run as tasks; always, unless `execution` says `optional`.
   * @param name - The tool's name.
   * @param config - Title, description, schemas, and whether calls run as tasks.
   * @param handler - Starts tasks, and returns their states and results.
   */
  registerToolTask<Args extends undefined | ToolSchema = undefined>(
    name: string,
    config: TaskToolConfig<Args>,
    handler: ToolTaskHandler<Args>,
  ): RegisteredTool {
    const execution: ToolExecution = { taskSupport: 'required', ...config.execution };
    if (execution.taskSupport === 'forbidden') {
      const remedy = 'Use registerTool() instead.';
      throw new Error(`Cannot register task-based tool '${name}' with taskSupport 'forbidden'. ${remedy}`);
    }
    const { title, description, inputSchema, outputSchema, annotations, _meta } = config;
    return this.#server._createRegisteredTool(
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
      execution,
      _meta,
      handler,
    );
  }
}
