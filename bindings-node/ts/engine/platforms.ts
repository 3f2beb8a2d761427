/**
 * The platforms that have an addon. Owns: their list, which of them this may be, and the error if
 * there is none. Must not know: what an addon does.
 */

/** Each platform has a package `@mcpbolt/NAME` with its addon. */
export const PLATFORMS = [
  'linux-x64-gnu',
  'linux-x64-musl',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
];

/** The possible names of this platform; of two, the one whose addon loads. */
function candidates(): string[] {
  const { platform, arch } = process;
  // Detecting the libc takes milliseconds; an addon for the wrong one simply fails to load.
  return platform === 'linux' ? [`linux-${arch}-gnu`, `linux-${arch}-musl`] : [`${platform}-${arch}`];
}

/** Loads the addon of this platform's package. */
export function platformAddon(load: (name: string) => unknown): unknown {
  const broken: unknown[] = [];
  for (const name of candidates()) {
    try {
      return load(`@mcpbolt/${name}`);
    } catch (error) {
      if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') broken.push(error);
    }
  }
  throw new Error(`mcpbolt cannot load its engine: ${reason(broken)}`, { cause: broken[0] });
}

function reason(broken: unknown[]): string {
  const names = candidates();
  if (broken.length > 0) return String((broken[0] as Error)?.message ?? broken[0]);
  if (!names.some((name) => PLATFORMS.includes(name))) {
    return `there is no build for ${process.platform} on ${process.arch}, only for ${PLATFORMS.join(', ')}`;
  }
  const packages = names.map((name) => `@mcpbolt/${name}`).join(' nor ');
  const neither = names.length > 1 ? 'neither ' : '';
  const missing = `${neither}${packages} ${names.length > 1 ? 'is' : 'is not'} installed`;
  return `${missing}; install mcpbolt again, with its optional dependencies (npm install --include=optional)`;
}
