/**
 * The resources of a high-level server. Owns: the tables of resources and templates, their lists,
 * reading resources, completing variables. Must not know: transports, the engine.
 */
import type {
  CompleteRequest,
  CompleteResult,
  ListResourcesResult,
  ReadResourceRequest,
  ReadResourceResult,
} from '../../protocol/types';
import { completed, NOTHING_TO_COMPLETE } from './complete';
import type { Face } from './face';
import { liveOf } from '../../engine/server/call';
import { ErrorCode } from '../../protocol/mcp-error';
import { assign, find, move, put, records, watched, type Change, type Soon } from './records';
import type {
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredResource,
  RegisteredTemplate,
  ResourceMetadata,
  Template,
} from './types';

interface Titled {
  title?: string;
  metadata?: ResourceMetadata;
}

/** The resources of one server. */
export class Resources<T extends Template> {
  readonly table: Record<string, RegisteredResource>;
  readonly templates: Record<string, RegisteredTemplate<T>>;

  constructor(
    private readonly changed: Change,
    private readonly told: Change,
    private readonly face: Face,
  ) {
    this.table = records<RegisteredResource>(() => changed('resources'));
    this.templates = records<RegisteredTemplate<T>>(() => this.templateChanged());
  }

  /** A changed template changes both lists, because it may list resources. */
  private templateChanged(): void {
    this.changed('resourceTemplates');
    this.changed('resources');
  }

  /** Updates whose title is listed as well: lists show the metadata. In 1.x a title that is set alone is not listed. */
  private titled<U extends Titled>(before: Titled, updates: U): U {
    const { title, metadata = before.metadata } = updates;
    return title === undefined || !this.face.modern ? updates : { ...updates, metadata: { ...metadata, title } };
  }

  /** Adds a resource. */
  add(
    name: string,
    uri: string,
    title: string | undefined,
    metadata: ResourceMetadata | undefined,
    readCallback: ReadResourceCallback,
  ): RegisteredResource {
    if (find(this.table, uri)) throw new Error(`Resource ${uri} is already registered`);
    const resource: RegisteredResource = watched<RegisteredResource>(
      {
        name,
        title,
        metadata,
        readCallback,
        enabled: true,
        disable: () => resource.update({ enabled: false }),
        enable: () => resource.update({ enabled: true }),
        remove: () => resource.update({ uri: null }),
        update: ({ uri: to, callback, ...rest }) => {
          move(this.table, uri, to, resource);
          assign(resource, { ...this.titled(resource, rest), readCallback: callback } as Partial<RegisteredResource>);
          this.told('resources');
        },
      },
      () => this.changed('resources'),
    );
    put(this.table, uri, resource);
    return resource;
  }

  /** Adds a template. */
  addTemplate(
    name: string,
    resourceTemplate: T,
    title: string | undefined,
    metadata: ResourceMetadata | undefined,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredTemplate<T> {
    if (find(this.templates, name)) throw new Error(`Resource template ${name} is already registered`);
    const template: RegisteredTemplate<T> = watched<RegisteredTemplate<T>>(
      {
        resourceTemplate,
        title,
        metadata,
        readCallback,
        enabled: true,
        disable: () => template.update({ enabled: false }),
        enable: () => template.update({ enabled: true }),
        remove: () => template.update({ name: null }),
        update: ({ name: to, template: other, callback, ...rest }) => {
          move(this.templates, name, to, template);
          const updates = { ...this.titled(template, rest), resourceTemplate: other, readCallback: callback };
          assign(template, updates as Partial<RegisteredTemplate<T>>);
          this.told('resources');
        },
      },
      () => this.templateChanged(),
    );
    put(this.templates, name, template);
    return template;
  }

  /** Whether a variable of a template can be completed. */
  completes({ resourceTemplate }: RegisteredTemplate<T>): boolean {
    const names = resourceTemplate.uriTemplate.variableNames;
    return Array.isArray(names) && names.some((name) => !!resourceTemplate.completeCallback(name));
  }

  /** Whether a template has a function that lists resources. */
  get listsByCode(): boolean {
    return Object.values(this.templates).some(({ resourceTemplate }) => resourceTemplate.listCallback);
  }

  /** The resources with fixed URIs, in the form of `resources/list`. */
  list(): object[] {
    return Object.entries(this.table)
      .filter(([, resource]) => resource.enabled)
      .map(([uri, { name, metadata }]) => ({ uri, name, ...metadata }));
  }

  /** Answers `resources/list`. */
  async listAll(extra: object): Promise<ListResourcesResult> {
    const resources = this.list();
    for (const { resourceTemplate, metadata } of Object.values(this.templates)) {
      const found = await resourceTemplate.listCallback?.(extra as never);
      // Members of a resource take precedence over those of its template.
      for (const resource of found?.resources ?? []) resources.push({ ...metadata, ...resource });
    }
    return { resources } as ListResourcesResult;
  }

  /** The templates in the form of `resources/templates/list`. */
  listTemplates(): object[] {
    return Object.entries(this.templates).map(([name, { resourceTemplate, metadata }]) => ({
      name,
      uriTemplate: resourceTemplate.uriTemplate.toString(),
      ...metadata,
    }));
  }

  /** Answers `resources/read`. */
  read({ params }: ReadResourceRequest, extra: object): Soon<ReadResourceResult> {
    const uri = new URL(params.uri);
    const text = uri.toString();
    // The registered URI may be spelled differently from its normalized form.
    const resource = find(this.table, text) ?? find(this.table, params.uri);
    if (resource) {
      if (!resource.enabled) throw this.face.fault(ErrorCode.InvalidParams, `Resource ${text} disabled`);
      return resource.readCallback(uri, extra as never);
    }
    for (const { resourceTemplate, readCallback } of Object.values(this.templates)) {
      const variables = resourceTemplate.uriTemplate.match(text);
      if (variables) return readCallback(uri, variables, extra as never);
    }
    throw this.face.unknownResource(params.uri, liveOf(extra)?.facts.era === 'modern');
  }

  /** Answers `completion/complete` for a variable. */
  async complete(uri: string, { argument, context }: CompleteRequest['params']): Promise<CompleteResult> {
    const template = Object.values(this.templates).find(
      ({ resourceTemplate }) => resourceTemplate.uriTemplate.toString() === uri,
    );
    if (template === undefined) {
      // A resource with a fixed URI has nothing to complete; the request is not an error.
      if (find(this.table, uri)) return NOTHING_TO_COMPLETE;
      throw this.face.fault(ErrorCode.InvalidParams, `Resource template ${uri} not found`);
    }
    const completer = template.resourceTemplate.completeCallback(argument.name);
    return completer ? completed(await completer(argument.value, context)) : NOTHING_TO_COMPLETE;
  }
}
