/** The path that the official package has for `common/stdio-framing`, which defines these names. */
export * from '../common/stdio-framing';
