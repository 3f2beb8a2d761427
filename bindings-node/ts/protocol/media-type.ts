/**
 * Reading `Content-Type`. Owns: what the type is, apart from its parameters. Must not
 * know: requests or bodies.
 */

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PARAMETERS = /^(?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[^"\\\r\n]|\\[^\r\n])*"))*[ \t]*$/;

/**
 * The media type of a `Content-Type` header: `type/subtype` in lower case, without parameters.
 * `undefined` if there is no header, or several were joined into one.
 * @param header - The header.
 */
export function mediaTypeEssence(header: string | null | undefined): string | undefined {
  if (!header) return undefined;
  const semicolon = header.indexOf(';');
  const head = semicolon < 0 ? header : header.slice(0, semicolon);
  const tail = semicolon < 0 ? '' : header.slice(semicolon);
  const essence = head.trim().toLowerCase();
  if (TOKEN.test(essence) && PARAMETERS.test(tail)) return essence;
  // Malformed parameters are tolerated; a comma among them means that two headers were joined.
  return essence === '' || tail.includes(',') || head.slice(essence.length).includes(',') ? undefined : essence;
}

/**
 * Whether a `Content-Type` header says `application/json`, with any parameters.
 * @param header - The header.
 */
export function isJsonContentType(header: string | null | undefined): boolean {
  return header === 'application/json' || mediaTypeEssence(header) === 'application/json';
}
