/**
 * Templates of resources. Owns: what belongs to one. Must not know: how it is registered.
 */
import { UriTemplate } from '../uri-template';
import type { CompleteResourceTemplateCallback, ListResourcesCallback } from './types';

/** Resources that have one kind of URI, and optionally the code that lists them. */
export class ResourceTemplate {
  private readonly _uriTemplate: UriTemplate;

  /**
   * A template; `list` has to be said, even if it is `undefined`.
   * @param uriTemplate - The URI with its variables in braces (RFC 6570).
   */
  constructor(
    uriTemplate: string | UriTemplate,
    private readonly _callbacks: {
      /** Lists all resources of the template. */
      list: ListResourcesCallback | undefined;
      /** Suggests values for variables. */
      complete?: { [variable: string]: CompleteResourceTemplateCallback };
    },
  ) {
    this._uriTemplate = typeof uriTemplate === 'string' ? new UriTemplate(uriTemplate) : uriTemplate;
  }

  /** The template of the URIs. */
  get uriTemplate(): UriTemplate {
    return this._uriTemplate;
  }

  /** What lists the resources, if there is such code. */
  get listCallback(): ListResourcesCallback | undefined {
    return this._callbacks.list;
  }

  /**
   * What suggests values for a variable, if there is such code.
   * @param variable - The name of the variable.
   */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this._callbacks.complete?.[variable];
  }
}

