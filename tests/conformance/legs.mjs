// What is run: one leg per suite and revision, with the most checks a program is known to pass. A run
// that passes fewer fails; docs/conformance.md shows the numbers.

/**
 * What a server behind a bridge passes: over stdio it has no way to say that a stream is to be closed in
 * mid-call, and one that it closes over HTTP is the bridge's own, which comes back for the rest.
 */
const behindABridge = (most) => ({ mostThroughABridge: most });

export const serverLegs = [
  { name: 'stable', suite: 'conformance-stable', most: 47, ...behindABridge(46) },
  { name: 'alpha @2025-11-25', suite: 'conformance-alpha', revision: '2025-11-25', most: 84, ...behindABridge(83) },
  { name: 'alpha @2026-07-28', suite: 'conformance-alpha', revision: '2026-07-28', most: 153 },
  { name: 'alpha @2025-06-18', suite: 'conformance-alpha', revision: '2025-06-18', most: 56 },
  { name: 'alpha @2025-03-26', suite: 'conformance-alpha', revision: '2025-03-26', most: 3 },
];

/**
 * The one server that has every extension, in the folder of everything-server, where that one is written
 * against 1.x: skills are an extension of 2.x, and in Python so are tools that end with a JSON-RPC error.
 */
export const serversOfExtensions = { python: 'everything_tasks.py', node: 'everything-extensions.mjs' };

/**
 * The revision of extensions. Their scenarios are on the timeline of no revision, so each run forces it:
 * of a server the suite takes this one by itself, of a client that of 2025-11-25.
 */
const ofExtensions = { suite: 'conformance-alpha', revision: '2026-07-28', force: true };
const everyLanguage = ['rust', 'python', 'node', 'kotlin', 'swift'];

/** Scenarios of extensions. A check that is skipped is a failure: what is declared is there to be looked at. */
export const extensionLegs = [
  { name: 'tasks', ...ofExtensions, scenarios: /^tasks-/, languages: everyLanguage, extension: true, most: 44 },
  { name: 'skills', ...ofExtensions, scenarios: /^sep-2640-skills/, languages: everyLanguage, extension: true, most: 45 },
  // Tasks are there in both lines of the API, and everything-server is written against the older one.
  { name: 'tasks, 1.x', ...ofExtensions, scenarios: /^tasks-/, languages: ['node'], extension: true, own: true, most: 44 },
];

/** Scenarios that the suite itself skips, each with its reason; what shows instead that we hold to it. */
export const skippedByTheSuite = {
  'tasks-status-notifications': 'to be rewritten for subscriptions/listen; core/tests/tasks/listening.rs',
};

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
  { name: 'authorization, extensions', suite: 'conformance-alpha', extensions: true, extension: true, authorization: true, most: 78 },
  { name: 'authorization, extensions @2026-07-28', ...ofExtensions, extensions: true, extension: true, authorization: true, most: 57 },
];

/** Which example clients sign in as the suites want to see it. */
const signsIn = { rust: true, python: true, node: true, kotlin: true, swift: true };

/** Scenarios that no leg runs, by suite, each with its reason. */
const leftOut = {
  'conformance-stable': {
    'auth/2025-03-26-oauth-metadata-backcompat': 'its mock publishes another issuer than that of its place, which has to be refused',
  },
};

export function legsOfClient(language) {
  const extensions = extensionLegsOfClients.filter(({ languages }) => languages.includes(language));
  if (!signsIn[language]) return [...clientLegs, ...extensions];
  const own = (leg) => ({ ...leg, most: leg.mostIn?.[language] ?? leg.most });
  return [...clientLegs, ...authorizationLegs.map(own), ...extensions];
}

/** Scenarios of extensions that are not about authorization, for the languages whose clients use them. */
const extensionLegsOfClients = [
  { name: 'skills', suite: 'conformance-alpha', scenarios: /^sep-2640-client/, languages: everyLanguage, extension: true, most: 4 },
  { name: 'skills @2026-07-28', ...ofExtensions, scenarios: /^sep-2640-client/, languages: everyLanguage, extension: true, most: 4 },
];

/** Extensions that are not about authorization have legs of their own. */
export function wantedOfClient(leg, { name, tags }) {
  if (leg.scenarios) return leg.scenarios.test(name);
  const authorization = name.startsWith('auth/');
  if (authorization !== Boolean(leg.authorization) || leftOut[leg.suite]?.[name]) return false;
  if (leg.suite === 'conformance-stable') return authorization || !tags.includes('extension');
  if (!leg.extensions) return !tags.includes('extension');
  // Servers of 2025-03-26 are asked in the leg that names no revision.
  return tags.includes('extension') || (!leg.revision && name.startsWith('auth/2025-03-26'));
}
