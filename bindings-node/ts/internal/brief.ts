/**
 * What is wrong with a value, in a line. Owns: choosing and joining issues. Must not know:
 * how values are judged.
 */

/** As much of an issue as is looked at. */
interface Fault {
  message: string;
  path: readonly PropertyKey[];
  /** Of a union: the issues of each alternative. */
  errors?: readonly (readonly Fault[])[];
}

/** So many are named; the rest is counted. */
const NAMED = 3;

/** Issues in a line: where each is and what it is. Of a union those of the alternative that fits best. */
export function brief(issues: readonly unknown[]): string {
  const all = (issues as readonly Fault[]).flatMap((issue) => leaves(issue, []));
  const words = all.slice(0, NAMED).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const rest = all.length - words.length;
  return words.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function leaves(issue: Fault, above: readonly PropertyKey[]): { path: string; message: string }[] {
  const path = [...above, ...issue.path];
  const [best] = [...(issue.errors ?? [])].filter((each) => each.length > 0).sort((a, b) => a.length - b.length);
  if (best !== undefined) return best.flatMap((each) => leaves(each, path));
  return [{ path: shown(path), message: issue.message }];
}

/** `content[0].text` */
function shown(path: readonly PropertyKey[]): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? String(part) : `.${String(part)}`)).join('');
}
