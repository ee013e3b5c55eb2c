/** Lets programs work until it closes, and then waits for those that are in the middle of something. */
export class Gate {
  private inside = 0;
  private opened = Promise.withResolvers<void>();
  private emptied = Promise.withResolvers<void>();
  private isOpen = true;

  /** Does one thing, once the gate is open. */
  async pass(act: () => Promise<void>): Promise<void> {
    while (!this.isOpen) {
      await this.opened.promise;
    }
    this.inside += 1;
    try {
      await act();
    } finally {
      this.inside -= 1;
      if (this.inside === 0) {
        this.emptied.resolve();
      }
    }
  }

  /** Resolves once nobody is inside. */
  async close(): Promise<void> {
    this.isOpen = false;
    this.opened = Promise.withResolvers();
    this.emptied = Promise.withResolvers();
    if (this.inside > 0) {
      await this.emptied.promise;
    }
  }

  open(): void {
    this.isOpen = true;
    this.opened.resolve();
  }
}
