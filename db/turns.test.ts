import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const { signal: never } = new AbortController();

/** Requests slots and records who got one, in order. */
class Row {
  readonly got: string[] = [];
  private readonly turns: Turns;

  constructor(limits: { all: number; each: number }) {
    this.turns = new Turns(limits);
  }

  ask(...names: string[]): void {
    for (const name of names) {
      void this.turns.enter(name, never).then(() => this.got.push(name));
    }
  }

  async leave(name: string): Promise<void> {
    this.turns.leave(name);
    await letAllProceed();
  }
}

/** Waits until every caller whose turn it is has entered. */
function letAllProceed(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

test("one name never has more than its share, however many slots are free", async () => {
  const row = new Row({ all: 4, each: 2 });
  row.ask("a", "a", "a", "b");
  await letAllProceed();
  expect(row.got).toEqual(["a", "a", "b"]);
  await row.leave("a");
  expect(row.got).toEqual(["a", "a", "b", "a"]);
});

test("all names together never have more than the total, and waiting names are served in turn", async () => {
  const row = new Row({ all: 2, each: 2 });
  row.ask("a", "a", "a", "a", "b", "b", "c");
  await letAllProceed();
  expect(row.got).toEqual(["a", "a"]);
  await row.leave("a");
  await row.leave("a");
  await row.leave("a");
  await row.leave("b");
  await row.leave("c");
  expect(row.got).toEqual(["a", "a", "a", "b", "c", "a", "b"]);
});

test("an aborted request takes no slot and gets the reason", async () => {
  const turns = new Turns({ all: 1, each: 1 });
  await turns.enter("a", never);
  const impatient = new AbortController();
  const waiting = turns.enter("a", impatient.signal);
  impatient.abort(new Error("too long"));
  await expect(waiting).rejects.toThrow("too long");
  await expect(turns.enter("b", impatient.signal)).rejects.toThrow("too long");
  turns.leave("a");
  await turns.enter("b", never);
  expect.assertions(2);
});

test("a name that waits a thousand times is refused, and the others are not", async () => {
  const turns = new Turns({ all: 1, each: 1 });
  await turns.enter("a", never);
  for (let count = 0; count < 1_000; count += 1) {
    void turns.enter("a", never);
  }
  await expect(turns.enter("a", never)).rejects.toMatchObject({ code: "database_unavailable" });
  const other = turns.enter("b", never);
  turns.leave("a");
  turns.leave("a");
  await other;
});
