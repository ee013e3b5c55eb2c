/** Runs the steps of a workload until it is paused, which waits for the steps in progress. */
export class PausableWorkload {
  private running = 0;
  private resumed = Promise.withResolvers<void>();
  private idle = Promise.withResolvers<void>();
  private isPaused = false;

  /** Runs one step, once the workload is not paused. */
  async step(act: () => Promise<void>): Promise<void> {
    while (this.isPaused) {
      await this.resumed.promise;
    }
    this.running += 1;
    try {
      await act();
    } finally {
      this.running -= 1;
      if (this.running === 0) {
        this.idle.resolve();
      }
    }
  }

  /** Resolves once no step is running. */
  async pause(): Promise<void> {
    this.isPaused = true;
    this.resumed = Promise.withResolvers();
    this.idle = Promise.withResolvers();
    if (this.running > 0) {
      await this.idle.promise;
    }
  }

  resume(): void {
    this.isPaused = false;
    this.resumed.resolve();
  }
}
