/**
 * Templates of resources. Owns: what belongs to one. Must not know: how it is registered.
 */
import { UriTemplate } from '../uri-template';
import type { CompleteResourceTemplateCallback, ListResourcesCallback } from './types';

/** A URI template for resources, with optional functions that list them and complete their variables. */
export class ResourceTemplate {
  private readonly _uriTemplate: UriTemplate;

  /**
   * Creates a template.
   * @param uriTemplate - The URI with its variables in braces (RFC 6570).
   * @param _callbacks - Functions that list the resources, and suggest values for the variables.
   */
  constructor(
    uriTemplate: string | UriTemplate,
    private readonly _callbacks: {
      /** Lists the resources of the template; `undefined` if they cannot be listed. Must be given. */
      list: ListResourcesCallback | undefined;
      /** Functions that suggest values, by the name of the variable. Default: none. */
      complete?: { [variable: string]: CompleteResourceTemplateCallback };
    },
  ) {
    this._uriTemplate = typeof uriTemplate === 'string' ? new UriTemplate(uriTemplate) : uriTemplate;
  }

  /** The template of the URIs. */
  get uriTemplate(): UriTemplate {
    return this._uriTemplate;
  }

  /** The function that lists the resources; `undefined` without one. */
  get listCallback(): ListResourcesCallback | undefined {
    return this._callbacks.list;
  }

  /**
   * The function that suggests values for a variable; `undefined` without one.
   * @param variable - The name of the variable.
   */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this._callbacks.complete?.[variable];
  }
}

