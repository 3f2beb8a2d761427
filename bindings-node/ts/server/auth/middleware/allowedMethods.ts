/** Methods an endpoint takes. Owns: the refusal of all others. Must not know: the endpoint. */
import { MethodNotAllowedError } from '../errors';

/** What is needed of a response of Express. */
interface Answering {
  status(code: number): { set(name: string, value: string): { json(body: unknown): unknown } };
}

/** A middleware that answers 405 to all methods but these. */
export function allowedMethods(
  methods: string[],
): (req: { method?: string }, res: Answering, next: (error?: unknown) => void) => void {
  return (req, res, next) => {
    if (methods.includes(req.method ?? '')) return next();
    const error = new MethodNotAllowedError(`The method ${req.method} is not allowed for this endpoint`);
    res.status(405).set('Allow', methods.join(', ')).json(error.toResponseObject());
  };
}
