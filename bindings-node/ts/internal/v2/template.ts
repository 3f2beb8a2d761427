/**
 * Resource templates in the 2.x face. Owns: the types of its callbacks; the class is that of 1.x.
 * Must not know: servers.
 */
import { ResourceTemplate as ResourceTemplateV1 } from '../../server/mcp';
import type { UriTemplate } from '../../shared/uriTemplate';
import type { ListResourcesCallback } from './mcp-types';

/** Suggests values for a variable; `context` holds the variables that are known already. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>;

/** A kind of resources that share a URI template, optionally with a function that lists them. */
export interface ResourceTemplate {
  /** The template of the URIs. */
  readonly uriTemplate: UriTemplate;
  /** The function that lists the resources; `undefined` if there is none. */
  readonly listCallback: ListResourcesCallback | undefined;
  /** The function that suggests values for a variable; `undefined` if there is none. */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined;
}

/** Creates a template. `list` must be passed, even as `undefined`. */
export const ResourceTemplate = ResourceTemplateV1 as unknown as new (
  uriTemplate: string | UriTemplate,
  callbacks: { list: ListResourcesCallback | undefined; complete?: { [variable: string]: CompleteResourceTemplateCallback } },
) => ResourceTemplate;
