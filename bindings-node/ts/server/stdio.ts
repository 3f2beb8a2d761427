/** The official path of `common/server/stdio`, which defines these names. */
export * from '../common/server/stdio';
