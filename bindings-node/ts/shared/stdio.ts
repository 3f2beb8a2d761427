/** The official path of `common/stdio-framing`, which defines these names. */
export * from '../common/stdio-framing';
