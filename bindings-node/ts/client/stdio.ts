/** The official path of `common/client/stdio`, which defines these names. */
export * from '../common/client/stdio';
