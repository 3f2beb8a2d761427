/** Display names. Owns: the order of preference. Must not know: where the named items come from. */

/** The members of a tool, resource, prompt or implementation that a display name is taken from. */
export interface Named {
  /** The name. */
  name: string;
  /** The title. */
  title?: string | undefined;
  /** The annotations of a tool. */
  annotations?: unknown;
}

/**
 * The name to show to people: the title, else the title in a tool's annotations, else the name.
 * @param metadata - The tool, resource, prompt or server.
 */
export function getDisplayName(metadata: Named): string {
  if (metadata.title !== undefined && metadata.title !== '') return metadata.title;
  const hinted = (metadata.annotations as { title?: string } | undefined)?.title;
  return hinted ? hinted : metadata.name;
}
