import { setImmediate, setTimeout as sleep } from "node:timers/promises";

/** How many milliseconds a turn lasts before others have theirs. */
const TURN_MS = 5;

/** If others keep the thread for longer than this, they count as busy. */
const BUSY_MS = 1;

/** How many times as long as a turn the thread then belongs to others. */
const OTHERS_SHARE = 12;

/**
 * Splits long work of this thread into short turns. It uses all time that nobody else needs, and little while requests
 * wait.
 */
export class ThreadShare {
  private began = performance.now();

  /** Begins a turn, after a wait for something else. */
  begin(): void {
    this.began = performance.now();
  }

  /** Ends the turn if it has lasted long enough, and begins the next one. */
  async yield(): Promise<void> {
    const ended = performance.now();
    const worked = ended - this.began;
    if (worked < TURN_MS) {
      return;
    }
    await setImmediate();
    if (performance.now() - ended > BUSY_MS) {
      await sleep(worked * OTHERS_SHARE);
    }
    this.begin();
  }
}
