/**
 * Called with each statement that is sent. The function that it returns is called once with the outcome: null, or the
 * error. It must not throw.
 */
export type StatementWatcher = (text: string) => ((error: unknown) => void) | undefined;

let watcher: StatementWatcher | undefined;

/** Watches the statements of this process, except those that begin and end transactions; undefined ends that. */
export function watchStatements(next: StatementWatcher | undefined): void {
  watcher = next;
}

/** The driver's own queries settle by calling these; its types leave them out. */
interface Settling {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Tells the watcher, if there is one, of a statement that is about to be sent. @returns the same query. */
export function watched<Query extends object>(text: string, query: Query): Query {
  const onEnd = watcher?.(text);
  if (onEnd) {
    // Not `then`: a query is sent when something waits for it, and the order of statements must not depend on a
    // watcher.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const settling = query as Query & Settling;
    const { resolve, reject } = settling;
    settling.resolve = (value) => {
      onEnd(null);
      resolve(value);
    };
    settling.reject = (error) => {
      onEnd(error);
      reject(error);
    };
  }
  return query;
}
