/** The path that the official package has for `common/server/stdio`, which defines these names. */
export * from '../common/server/stdio';
