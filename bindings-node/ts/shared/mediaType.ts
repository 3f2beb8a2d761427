/** The official path of `protocol/media-type`, which defines these names. */
export * from '../protocol/media-type';
