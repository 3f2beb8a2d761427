/** The official path of `protocol/auth-info`, which defines these names. */
export * from '../../protocol/auth-info';
