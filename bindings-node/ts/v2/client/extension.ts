/**
 * Extensions of a client, in the 2.x face. Owns: nothing.
 */
export { extend, serverExtension, type ClientExtension, type ClientExtensionMethod } from '../internal/client-extension';
