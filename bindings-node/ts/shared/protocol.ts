/** The path that the official package has for `common/peer/protocol`, which defines these names. */
export * from '../common/peer/protocol';
