/** Tasks on the high-level server: `server.experimental.tasks`. */
export { ExperimentalMcpServerTasks } from '../../v1/mcp-experimental';
