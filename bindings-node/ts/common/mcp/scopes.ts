/**
 * Scopes that tokens need for calls of single tools. Owns: what a tool may say of that. Must not know:
 * who looks at tokens; the engine does.
 */

/** A scope token of RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Throws if a name is no name of a scope: left out, it would leave the tool open. */
export function checkedScopes(name: string, scopes: readonly string[]): string[] {
  for (const scope of scopes) {
    if (typeof scope !== 'string' || !SCOPE.test(scope)) {
      throw new TypeError(`Tool ${name}: ${JSON.stringify(scope)} is no name of a scope; give them one by one, such as ['files:write']`);
    }
  }
  return [...scopes];
}
