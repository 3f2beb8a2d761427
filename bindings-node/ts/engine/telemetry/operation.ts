/**
 * One request as OpenTelemetry sees it, from its beginning to its end. Owns: its span, the context in
 * which it runs, and that it is recorded once. Must not know: how requests are sent or handled.
 */
import { quietly, SCOPE, telemetry, type Api, type Attributes, type Context, type Span, type SpanContext } from './api';
import {
  attributesOf,
  countedAttributes,
  failureHere,
  failureIn,
  failureThere,
  ownAttributes,
  spanName,
  type Described,
  type Facts,
  type Outcome,
} from './attributes';
import { operationEnded, type Side } from './metrics';
import { carrying, contextOf } from './trace-context';

/** A request that is being handled or waits for its answer. */
export class Operation {
  readonly #began = performance.now();
  readonly #attributes: Attributes;
  readonly #span: Span;
  readonly #context: Context;
  #isOver = false;

  constructor(
    private readonly api: Api,
    private readonly side: Side,
    private readonly request: Described,
    facts: Facts,
  ) {
    const parent = contextOf(api, request.params);
    this.#attributes = attributesOf(request, facts);
    const attributes = { ...this.#attributes, ...ownAttributes(request, facts) };
    const kind = side === 'server' ? api.SpanKind.SERVER : api.SpanKind.CLIENT;
    const links = bringersOf(api, parent).map((context) => ({ context }));
    this.#span = api.trace.getTracer(SCOPE).startSpan(spanName(request, facts), { kind, attributes, links }, parent);
    this.#context = api.trace.setSpan(parent, this.#span);
  }

  /** Runs code with the span as the active one. */
  run<T>(body: () => T): T {
    return this.api.context.with(this.#context, body);
  }

  /** The request with the span's context in its `_meta`. */
  carrying<R extends Described>(request: R): R {
    const params = quietly(this.api, () => carrying(this.api, this.#context, request.params));
    return params === undefined || params === request.params ? request : { ...request, params };
  }

  /** Called when the id is known under which the request was sent. */
  sentAs(id: string | number | undefined): void {
    if (id !== undefined) this.#span.setAttribute('jsonrpc.request.id', String(id));
  }

  /** The answer is a result. */
  answered(result: unknown): void {
    this.ended(() => failureIn(this.request, result));
  }

  /** The handler threw; `reply` is what the other side gets. */
  refused(error: unknown, reply: { code: number; message: string }): void {
    this.ended(() => failureHere(error, reply));
  }

  /** There is no result. */
  failed(error: unknown): void {
    this.ended(() => failureThere(error));
  }

  private ended(failure: () => Outcome | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    quietly(this.api, () => this.record(failure()));
  }

  private record(failure: Outcome | undefined): void {
    const outcome: Attributes = {
      ...(failure && { 'error.type': failure.type }),
      ...(failure?.code !== undefined && { 'rpc.response.status_code': String(failure.code) }),
    };
    if (failure !== undefined) {
      this.#span.setAttributes(outcome);
      this.#span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: failure.message });
    }
    this.#span.end();
    const counted = countedAttributes(this.#attributes, failure);
    operationEnded(this.api, this.side, this.#began, { ...counted, ...outcome }, this.#context);
  }
}

/** The active span, such as that of an HTTP request, if it brought a message whose sender names another one. */
function bringersOf(api: Api, parent: Context): SpanContext[] {
  const active = api.trace.getSpanContext(api.context.active());
  if (active === undefined || !api.trace.isSpanContextValid(active)) return [];
  return active.spanId === api.trace.getSpanContext(parent)?.spanId ? [] : [active];
}

/** The operation of a request of the other side that is about to be handled; `undefined` if telemetry is off. `facts` is asked only if it is on. */
export function handling(request: Described, facts: () => Facts): Operation | undefined {
  const api = telemetry();
  if (api === undefined) return undefined;
  const known = facts();
  return quietly(api, () => new Operation(api, 'server', request, known));
}

/**
 * Sends a request, as an operation if telemetry is on: `send` gets the request with its context in
 * `_meta`, and the operation. `facts` is asked only then.
 */
export function sending<R extends Described, T>(
  request: R,
  facts: () => Facts,
  send: (request: R, operation: Operation | undefined) => Promise<T>,
): Promise<T> {
  const api = telemetry();
  if (api === undefined) return send(request, undefined);
  const operation = quietly(api, () => new Operation(api, 'client', request, facts()));
  if (operation === undefined) return send(request, undefined);
  let answer: Promise<T>;
  try {
    answer = operation.run(() => send(operation.carrying(request), operation));
  } catch (error) {
    operation.failed(error);
    throw error;
  }
  answer.then(
    (result) => operation.answered(result),
    (error: unknown) => operation.failed(error),
  );
  return answer;
}
