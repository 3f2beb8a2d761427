/** The official path of `common/peer/protocol`, which defines these names. */
export * from '../common/peer/protocol';
