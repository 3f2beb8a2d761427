/**
 * Pages of a server, for a host, in the 2.x face. Owns: nothing.
 */
export { AppError, AppsClient, showsApps, type AppPage, type AppRefusal } from '../internal/apps-client';
