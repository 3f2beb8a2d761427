/** The official path of `common/review`, which defines these names. */
export * from './common/review';
