/**
 * What is experimental in the official package.
 *
 * @experimental
 */
export * from './tasks/index';
