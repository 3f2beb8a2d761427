/**
 * Extensions of a server, in the 2.x face. Owns: nothing.
 */
export {
  clientExtension,
  extend,
  extensionMethod,
  requireClientExtension,
  type Extension,
  type ExtensionHook,
  type ExtensionMethod,
} from '../internal/server-extension';
