/**
 * What the engine says on the way to a token. Owns: the names of its steps, and the official error for
 * each way to fail. Must not know: what is done at a step.
 */
import type { Like, Refused } from './decisions';
import { failingAt } from './discovery';
import { madeOf } from './answer';
import { OAUTH_ERRORS, ServerError } from './errors';
import { AuthorizationServerMismatchError, InsecureTokenEndpointError, IssuerMismatchError, OAuthClientFlowError } from './flow-errors';
import { boundElsewhere } from './issuer';
import { resourceUrlFromServerUrl } from './resource';
import { incompatible, isSafeEndpoint } from './tokens';

/** What is next. Of the members each step has those that belong to it. */
export interface Step extends Refused {
  step: 'fetch' | 'load' | 'store' | 'remember' | 'open_browser' | 'ask_user' | 'send' | 'fail';
  /** What a request is for, where it goes, and what it says. */
  asks_for?: 'resource_metadata' | 'server_metadata' | 'registration' | 'tokens';
  url: string;
  body?: string | null;
  grant?: string;
  /** The authorization server that is looked for, or was found. */
  issuer: string;
  /** The resource that tokens are for, unless the program chooses another. */
  resource?: string;
  change?: 'client' | 'tokens';
  tokens?: { refresh_token: string | null };
  code_verifier: string;
  /** About a failure: its words, the document, the status, what is good for nothing any more. */
  message: string;
  document?: string;
  status?: number;
  spent?: 'client' | 'tokens';
  /** The refusal of an authorization server. */
  error?: string;
  description?: string | null;
}

/** What a flow knows when it fails. */
export interface Known {
  serverUrl: string | URL;
  like: Like;
  issuer: string;
  /** The last place where metadata were looked for, and the last ones that were read. */
  place: string;
  said: { issuer?: string; resource?: string; token_endpoint?: string; registration_endpoint?: string };
  /** The client that the program has. */
  client: object | undefined;
  /** Whom the browser came back from, by what it brought, if this flow has waited for it. */
  answeredBy?: string | undefined;
}

/** The error of the official package for a failure. */
export function errorOf(step: Step, { issuer, said, ...known }: Known): Error {
  const { kind, document = '', field, status, message } = step;
  switch (`${kind} ${document}`.trim()) {
    case 'bound_elsewhere':
      return boundElsewhere(known.client!, issuer, known.like);
    case 'issuer_mismatch server_metadata':
      return new IssuerMismatchError('metadata', issuer, said.issuer);
    case 'issuer_mismatch redirect':
      if ('answeredBy' in known) return new IssuerMismatchError('authorization_response', issuer, known.answeredBy);
      return new AuthorizationServerMismatchError('another authorization server', issuer);
    case 'resource_mismatch':
      return new Error(`Protected resource ${said.resource} does not match expected ${resourceUrlFromServerUrl(known.serverUrl)} (or origin)`);
    case 'unavailable server_metadata':
      return status ? failingAt(known.place, status) : withoutMetadata(issuer);
    case 'no_server_metadata':
      return withoutMetadata(issuer);
    case 'authorization_refused':
      return refusedBy(step.error ?? '', step.description);
    case 'state_mismatch':
      return new OAuthClientFlowError(message);
    case 'malformed client_metadata':
      return new Error('redirectUrl is required for authorization_code flow');
  }
  const endpoint = kind === 'url' && (field === 'token_endpoint' || field === 'registration_endpoint') && said[field];
  if (endpoint && !isSafeEndpoint(endpoint)) return new InsecureTokenEndpointError(endpoint);
  return incompatible(step) ?? new Error(message);
}

/** What the authorization server answered in place of a code. */
function refusedBy(error: string, description: string | null | undefined): Error {
  const error_description = description ?? error;
  return madeOf({ error, error_description }, new (OAUTH_ERRORS[error] ?? ServerError)(error_description));
}

function withoutMetadata(issuer: string): Error {
  const remedy = 'set `assumeEndpoints` of the provider to use the endpoints of 2025-03-26';
  return new OAuthClientFlowError(`${issuer} publishes no authorization server metadata; ${remedy}`);
}
