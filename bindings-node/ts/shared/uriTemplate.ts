/** The official path of `common/uri-template`, which defines these names. */
export * from '../common/uri-template';
