/** The charset of a body. Owns: reading it in a `Content-Type`. Must not know: bodies. */
import { mediaTypeEssence } from '../../protocol/media-type';

const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"\\]*)"|([^\s;"]+))/i;

/**
 * The charset of a body whose content type must be JSON.
 *
 * @throws if it is not.
 */
export function charsetOf(header: string | undefined): string {
  if (!header) throw new TypeError('argument string is required');
  const type = mediaTypeEssence(header);
  if (type === undefined || !type.includes('/')) throw new TypeError('invalid media type');
  if (type !== 'application/json') throw new Error(`Unsupported content-type: ${type}`);
  const found = CHARSET.exec(header);
  return found?.[1] ?? found?.[2] ?? 'utf-8';
}
