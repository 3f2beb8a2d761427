/** Tasks on the high-level server: `server.experimental.tasks`. */
export { ExperimentalMcpServerTasks } from '../../internal/mcp-experimental';
