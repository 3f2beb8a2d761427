/**
 * When a list that its server says has changed is asked for again.
 *
 * Owns: one refresh for many notices, and the pause between refreshes. Must not know: which list it is, how it is
 * asked for.
 */

/** The shortest time between two refreshes, at first. */
const FIRST_MILLISECONDS = 100;
/** The longest of these times; after so long without a notice the first one counts again. */
const LONGEST_MILLISECONDS = 4000;

/** The refreshes of one list. A server may say with each answer that it has changed again: then they become fewer and fewer. */
export class Refreshes {
  readonly #refresh: () => Promise<void>;
  #gap = FIRST_MILLISECONDS;
  // When the last one was over.
  #last: number | undefined;
  // One waits for its time or is under way; `again` if a notice came meanwhile that it may have missed.
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isUnderWay = false;
  #again = false;

  /** @param refresh - Asks for the list; never rejects. */
  constructor(refresh: () => Promise<void>) {
    this.#refresh = refresh;
  }

  /** The server says that the list has changed. */
  noticed(): void {
    if (this.#timer !== undefined) return;
    if (this.#isUnderWay) {
      this.#again = true;
      return;
    }
    const pause = this.#pause(performance.now());
    if (pause <= 0) void this.#run();
    else this.#timer = setTimeout(() => void this.#run(), pause);
  }

  /** The server is gone: what waits for its time is dropped. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }

  #pause(now: number): number {
    if (this.#last === undefined) return 0;
    const since = now - this.#last;
    if (since >= LONGEST_MILLISECONDS) this.#gap = FIRST_MILLISECONDS;
    const gap = this.#gap;
    // Right behind the last one.
    if (since < gap) this.#gap = Math.min(gap * 2, LONGEST_MILLISECONDS);
    return gap - since;
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isUnderWay = true;
    await this.#refresh();
    this.#isUnderWay = false;
    this.#last = performance.now();
    if (!this.#again) return;
    this.#again = false;
    this.noticed();
  }
}
