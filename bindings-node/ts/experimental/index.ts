/**
 * The experimental features of the official package: tasks.
 *
 * @experimental
 */
export * from './tasks/index';
