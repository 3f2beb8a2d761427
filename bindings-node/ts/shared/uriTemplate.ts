/** The path that the official package has for `common/uri-template`, which defines these names. */
export * from '../common/uri-template';
