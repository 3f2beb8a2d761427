/**
 * What to call a thing in front of people. Owns: the order of preference. Must not know:
 * where the things come from.
 */

/** The members of a tool, resource, prompt or implementation that a name can come from. */
export interface Named {
  name: string;
  title?: string | undefined;
  annotations?: unknown;
}

/**
 * The name to show: the title; for tools then the title among the annotations; else the name.
 */
export function getDisplayName(metadata: Named): string {
  if (metadata.title !== undefined && metadata.title !== '') return metadata.title;
  const hinted = (metadata.annotations as { title?: string } | undefined)?.title;
  return hinted ? hinted : metadata.name;
}
