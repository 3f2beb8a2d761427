/** The official path of `common/in-memory`, which defines these names. */
export * from './common/in-memory';
