/** The path that the official package has for `common/client/stdio`, which defines these names. */
export * from '../common/client/stdio';
