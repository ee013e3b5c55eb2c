import { setImmediate, setTimeout as sleep } from "node:timers/promises";

/** After so many milliseconds, others have their turn. */
const TURN_MS = 5;

/** Others who take longer than this before the next turn are busy. */
const BUSY_MS = 1;

/** How much longer than a turn the thread belongs to others who are busy. */
const OTHERS_SHARE = 12;

/**
 * Long work of this thread in short turns. It takes all the time that nobody else wants, and little where requests wait.
 */
export class ThreadShare {
  private began = performance.now();

  /** Begins a turn, after a wait for something else. */
  begin(): void {
    this.began = performance.now();
  }

  /** Ends a turn that has become long, and begins the next one. */
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
