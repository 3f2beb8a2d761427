/** The path that the official package has for `common/oauth/extensions`, which defines these names. */
export {
  ClientCredentialsProvider,
  createPrivateKeyJwtAuth,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
  type ClientCredentialsProviderOptions,
  type PrivateKeyJwtProviderOptions,
  type StaticPrivateKeyJwtProviderOptions,
} from '../common/oauth/extensions';
