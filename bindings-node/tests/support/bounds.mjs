// How long tests wait, in milliseconds: in one place, and what waits.

/** For anything: it ends a test that hangs, and is far more than anything takes. */
export const LIMIT = 30_000;

/** For a program to start, or to run to its end, on a machine that does other things. */
export const START_BOUND = 60_000;

/** Within so much whatever waits has ended when what it waits for is gone. */
export const PROMISED = 5000;

/** For a program that ends at once: what a handle keeps alive stays longer. */
export const ENDED = 2000;

/** A promise that fails after the bound. */
export async function within(promise, what = 'it', bound = LIMIT) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${bound} ms`)), bound);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
