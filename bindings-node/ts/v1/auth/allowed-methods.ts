/** HTTP methods of an endpoint. Owns: the refusal of all others. Must not know: the endpoint. */
import { MethodNotAllowedError } from '../../common/oauth/errors';

/** The members of an Express response that are used. */
interface Answering {
  status(code: number): { set(name: string, value: string): { json(body: unknown): unknown } };
}

/**
 * Returns middleware that responds with 405 to all methods but these.
 * @param methods - The HTTP methods.
 */
export function allowedMethods(
  methods: string[],
): (req: { method?: string }, res: Answering, next: (error?: unknown) => void) => void {
  return (req, res, next) => {
    if (methods.includes(req.method ?? '')) return next();
    const error = new MethodNotAllowedError(`The method ${req.method} is not allowed for this endpoint`);
    res.status(405).set('Allow', methods.join(', ')).json(error.toResponseObject());
  };
}
