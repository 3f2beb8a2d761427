/** The official path of `common/client/middleware`, which defines these names. */
export * from '../common/client/middleware';
