/**
 * Names of tools. Owns: the format of tool names (SEP-986) and the wording of its warnings. Must
 * not know: servers. A name outside the format causes a warning but is registered.
 */

const ALLOWED = /[A-Za-z0-9._-]/;
const MAX_LENGTH = 128;

/** Patterns that are allowed but cause trouble: the test for each, and its warning. */
const DOUBTS: readonly [test: (name: string) => boolean, warning: string][] = [
  [(name) => name.includes(' '), 'Tool name contains spaces, which may cause parsing issues'],
  [(name) => name.includes(','), 'Tool name contains commas, which may cause parsing issues'],
  [
    (name) => name.startsWith('-') || name.endsWith('-'),
    'Tool name starts or ends with a dash, which may cause parsing issues in some contexts',
  ],
  [
    (name) => name.startsWith('.') || name.endsWith('.'),
    'Tool name starts or ends with a dot, which may cause parsing issues in some contexts',
  ],
];

/**
 * Checks a name: whether it has the format, and which warnings apply.
 * @param name - The tool's name.
 */
export function validateToolName(name: string): { isValid: boolean; warnings: string[] } {
  if (name.length === 0) return { isValid: false, warnings: ['Tool name cannot be empty'] };
  if (name.length > MAX_LENGTH) {
    const warning = `Tool name exceeds maximum length of ${MAX_LENGTH} characters (current: ${name.length})`;
    return { isValid: false, warnings: [warning] };
  }
  const warnings = DOUBTS.filter(([test]) => test(name)).map(([, warning]) => warning);
  const strange = [...new Set(name.split('').filter((char) => !ALLOWED.test(char)))];
  if (strange.length === 0) return { isValid: true, warnings };
  warnings.push(
    `Tool name contains invalid characters: ${strange.map((char) => `"${char}"`).join(', ')}`,
    'Allowed characters are: A-Z, a-z, 0-9, underscore (_), dash (-), and dot (.)',
  );
  return { isValid: false, warnings };
}

/**
 * Prints the warnings about a name to standard error.
 * @param name - The tool's name.
 * @param warnings - The warnings.
 */
export function issueToolNameWarning(name: string, warnings: string[]): void {
  if (warnings.length === 0) return;
  console.warn(`Tool name validation warning for "${name}":`);
  for (const warning of warnings) console.warn(`  - ${warning}`);
  console.warn('Tool registration will proceed, but this may cause compatibility issues.');
  console.warn('Consider updating the tool name to conform to the MCP tool naming standard.');
  console.warn(
    'See SEP: Specify Format for Tool Names (https://github.com/modelcontextprotocol/modelcontextprotocol/issues/986) for more details.',
  );
}

/**
 * Checks a name and prints its warnings; returns whether it has the format.
 * @param name - The tool's name.
 */
export function validateAndWarnToolName(name: string): boolean {
  const { isValid, warnings } = validateToolName(name);
  issueToolNameWarning(name, warnings);
  return isValid;
}
