/** Validation issues in one line. Owns: choosing and joining them. Must not know: how values are validated. */

/** The members of an issue that are read. */
interface Fault {
  message: string;
  path: readonly PropertyKey[];
  /** The issues of each alternative of a union. */
  errors?: readonly (readonly Fault[])[];
}

/** How many issues are named; the rest are only counted. */
const NAMED = 3;

/** Joins issues into one line: where each is and what it is. For a union, those of the closest alternative. */
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

/** Formats a path, e.g. `content[0].text`. */
function shown(path: readonly PropertyKey[]): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? String(part) : `.${String(part)}`)).join('');
}
