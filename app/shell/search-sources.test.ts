import { BookOpen } from "lucide-react";
import { expect, test } from "vitest";
import { toShown } from "./search-sources.ts";
import type { Source } from "./search-sources.ts";

const NAMES = ["Cards", "Transactions", "Cardholders", "Documentation"];

function toSource(name: string, isAnswered: boolean): Source {
  const items = [{ href: `/${name}`, name, detail: null, icon: BookOpen }];
  return { heading: name, items: isAnswered ? items : [], isAnswered, error: null };
}

/** Every order of some names. */
function* ordersOf(names: readonly string[]): Generator<string[]> {
  if (names.length === 0) {
    yield [];
  }
  for (const name of names) {
    for (const rest of ordersOf(names.filter((other) => other !== name))) {
      yield [name, ...rest];
    }
  }
}

test("in whichever order the sources answer, the list only grows at its end, to the same list", () => {
  for (const order of ordersOf(NAMES)) {
    let before: string[] = [];
    for (let count = 0; count <= order.length; count += 1) {
      const answered = new Set(order.slice(0, count));
      const shown = toShown(NAMES.map((name) => toSource(name, answered.has(name))));
      const headings = shown.map(({ heading }) => heading);
      expect(headings.slice(0, before.length)).toEqual(before);
      before = headings;
    }
    expect(before).toEqual(NAMES);
  }
});

test("a source that found nothing, or failed, holds nothing back", () => {
  const failed = { ...toSource("Cards", true), items: [], error: new Error("No answer") };
  const shown = toShown([failed, toSource("Transactions", true)]);
  expect(shown.map(({ heading }) => heading)).toEqual(["Transactions"]);
});
