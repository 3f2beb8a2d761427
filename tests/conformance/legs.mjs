// What is run: one leg per suite and revision, with the most checks a program is known to pass. A run
// that passes fewer fails; docs/conformance.md shows the numbers.

export const serverLegs = [
  { name: 'stable', suite: 'conformance-stable', most: 47 },
  { name: 'alpha @2025-11-25', suite: 'conformance-alpha', revision: '2025-11-25', most: 84 },
  { name: 'alpha @2026-07-28', suite: 'conformance-alpha', revision: '2026-07-28', most: 153 },
  { name: 'alpha @2025-06-18', suite: 'conformance-alpha', revision: '2025-06-18', most: 56 },
  { name: 'alpha @2025-03-26', suite: 'conformance-alpha', revision: '2025-03-26', most: 3 },
];

export const clientLegs = [
  { name: 'stable', suite: 'conformance-stable', most: 10 },
  { name: 'alpha @2025-11-25', suite: 'conformance-alpha', revision: '2025-11-25', most: 20 },
  { name: 'alpha @2026-07-28', suite: 'conformance-alpha', revision: '2026-07-28', most: 64 },
];

/** Authorization and extensions have their own legs when they land. */
export function wantedOfClient(scenario) {
  return !scenario.name.startsWith('auth/') && !scenario.tags.includes('extension');
}
