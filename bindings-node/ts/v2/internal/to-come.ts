/**
 * Names of the official packages that can be imported but are not supported yet. Owns: their
 * errors. Must not know: what they will do.
 */

function missing(name: string, part: string): Error {
  return new Error(`${name} is not in mcpbolt yet: it comes with ${part}. Until then, take it from the official package`);
}

/** A function that throws when it is called. */
export function functionToCome(name: string, part: string): (...parts: never[]) => never {
  return () => {
    throw missing(name, part);
  };
}

/** An async function whose promise rejects. */
export function promiseToCome(name: string, part: string): (...parts: never[]) => Promise<never> {
  return async () => {
    throw missing(name, part);
  };
}

/** A type that no value has. What the compiler says when one is given names the part that brings it. */
export interface ToCome<Part extends string> {
  readonly 'is not in mcpbolt yet: it comes with': Part;
}

/** A class that throws when it is instantiated. */
export function classToCome(name: string, part: string): abstract new (...parts: never[]) => never {
  const made = class {
    constructor() {
      throw missing(name, part);
    }
    static create(): never {
      throw missing(name, part);
    }
  };
  Object.defineProperty(made, 'name', { value: name });
  return made as unknown as abstract new (...parts: never[]) => never;
}

/** An object that throws when a member is read. */
export function objectToCome(name: string, part: string): Readonly<Record<string, never>> {
  return new Proxy(
    {},
    {
      get(_, member) {
        if (typeof member === 'symbol') return undefined;
        throw missing(name, part);
      },
    },
  );
}
