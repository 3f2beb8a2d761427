// What is run: one leg per suite and revision, with the most checks a program is known to pass. A run
// that passes fewer fails; docs/conformance.md shows the numbers.

/** What a server on stdio behind a bridge passes: it has no way to say that a stream is to be closed in mid-call. */
const onStdio = (most) => ({ mostThroughABridge: most });

export const serverLegs = [
  { name: 'stable', suite: 'conformance-stable', most: 47, ...onStdio(46) },
  { name: 'alpha @2025-11-25', suite: 'conformance-alpha', revision: '2025-11-25', most: 84, ...onStdio(83) },
  { name: 'alpha @2026-07-28', suite: 'conformance-alpha', revision: '2026-07-28', most: 153 },
  { name: 'alpha @2025-06-18', suite: 'conformance-alpha', revision: '2025-06-18', most: 56 },
  { name: 'alpha @2025-03-26', suite: 'conformance-alpha', revision: '2025-03-26', most: 3 },
];

/** Scenarios of extensions, for the languages whose servers offer them. They name no revision. */
export const extensionLegs = [
  // The suite skips what its scenario of notifications says: it is to be rewritten for subscriptions/listen.
  {
    name: 'tasks',
    suite: 'conformance-alpha',
    scenarios: /^tasks-(?!status-notifications$)/,
    languages: ['rust', 'python', 'node', 'kotlin', 'swift'],
    // That server is written against 2.x, where a tool may end with a JSON-RPC error.
    beside: { python: 'everything_tasks.py' },
    most: 44,
  },
  {
    name: 'skills',
    suite: 'conformance-alpha',
    scenarios: /^sep-2640-skills/,
    languages: ['rust', 'python', 'node', 'kotlin', 'swift'],
    // Those servers are written against 2.x.
    beside: { python: 'skills_folder.py', node: 'skills-folder.mjs' },
    most: 45,
  },
];

export function legsOfServer(language) {
  return [...serverLegs, ...extensionLegs.filter((leg) => leg.languages.includes(language))];
}

export const clientLegs = [
  { name: 'stable', suite: 'conformance-stable', most: 10 },
  { name: 'alpha @2025-11-25', suite: 'conformance-alpha', revision: '2025-11-25', most: 20 },
  { name: 'alpha @2026-07-28', suite: 'conformance-alpha', revision: '2026-07-28', most: 64 },
];

/**
 * Scenarios of `auth/`, for the languages whose clients sign in. In Python one request asks the user
 * once, as in the official package: a second refusal is the program's, and its checks are six fewer.
 */
export const authorizationLegs = [
  { name: 'authorization, stable', suite: 'conformance-stable', authorization: true, most: 273, mostIn: { python: 267 } },
  { name: 'authorization, alpha @2025-11-25', suite: 'conformance-alpha', revision: '2025-11-25', authorization: true, most: 233, mostIn: { python: 227 } },
  { name: 'authorization, alpha @2026-07-28', suite: 'conformance-alpha', revision: '2026-07-28', authorization: true, most: 356, mostIn: { python: 350 } },
  { name: 'authorization, extensions', suite: 'conformance-alpha', extensions: true, authorization: true, most: 52, mostIn: { rust: 78, python: 78, node: 78 } },
];

/** Which example clients sign in as the suites want to see it. */
const signsIn = { rust: true, python: true, node: true, kotlin: true, swift: true };

/** Scenarios that no leg runs, by suite, each with its reason. */
const leftOut = {
  'conformance-stable': {
    'auth/2025-03-26-oauth-metadata-backcompat': 'its mock publishes another issuer than that of its place, which has to be refused',
  },
};

/** Scenarios of a draft, for the languages whose clients bind tokens to a key. */
const bindsTokens = { rust: true, python: true, node: true };
const ofDraft = ['auth/dpop', 'auth/dpop-nonce'];

export function legsOfClient(language) {
  const extensions = extensionLegsOfClients.filter(({ languages }) => languages.includes(language));
  if (!signsIn[language]) return [...clientLegs, ...extensions];
  const own = (leg) => ({ ...leg, most: leg.mostIn?.[language] ?? leg.most, drafts: bindsTokens[language] });
  return [...clientLegs, ...authorizationLegs.map(own), ...extensions];
}

/** Scenarios of extensions that are not about authorization, for the languages whose clients use them. */
const extensionLegsOfClients = [
  { name: 'skills', suite: 'conformance-alpha', scenarios: /^sep-2640-client/, languages: ['rust', 'python', 'node', 'kotlin', 'swift'], most: 4 },
];

/** Extensions that are not about authorization have legs of their own. */
export function wantedOfClient(leg, { name, tags }) {
  if (leg.scenarios) return leg.scenarios.test(name);
  const authorization = name.startsWith('auth/');
  if (authorization !== Boolean(leg.authorization) || leftOut[leg.suite]?.[name]) return false;
  if (ofDraft.includes(name) && !leg.drafts) return false;
  if (leg.suite === 'conformance-stable') return authorization || !tags.includes('extension');
  // Servers of 2025-03-26 are asked in the leg that names no revision.
  return leg.extensions ? tags.includes('extension') || name.startsWith('auth/2025-03-26') : !tags.includes('extension');
}
