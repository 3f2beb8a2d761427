/** The path that the official package has for `common/client/middleware`, which defines these names. */
export * from '../common/client/middleware';
