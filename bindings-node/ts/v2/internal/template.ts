/**
 * Resources that share one kind of URI, in the 2.x face. Owns: the type of its callbacks;
 * the class is the same in 1.x. Must not know: servers.
 */
import { ResourceTemplate as CommonTemplate } from '../../common/mcp/template';
import type { UriTemplate } from '../../common/uri-template';
import type { ListResourcesCallback } from './mcp-types';

/** Suggests values for a variable; `context` has the ones that are known. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>;

/** Resources that have one kind of URI, and optionally the code that lists them. */
export interface ResourceTemplate {
  /** The template of the URIs. */
  readonly uriTemplate: UriTemplate;
  /** What lists the resources, if there is such code. */
  readonly listCallback: ListResourcesCallback | undefined;
  /**
   * What suggests values for a variable, if there is such code.
   * @param variable - The name of the variable.
   */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined;
}

/**
 * Makes one; `list` has to be said, even if it is `undefined`.
 * @param uriTemplate - The URI with its variables in braces (RFC 6570).
 * @param callbacks - Functions that list the resources, and suggest values for the variables.
 */
export const ResourceTemplate = CommonTemplate as unknown as new (
  uriTemplate: string | UriTemplate,
  callbacks: { list: ListResourcesCallback | undefined; complete?: { [variable: string]: CompleteResourceTemplateCallback } },
) => ResourceTemplate;
