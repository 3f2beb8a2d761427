/** The path that the official package has for `common/in-memory`, which defines these names. */
export * from './common/in-memory';
