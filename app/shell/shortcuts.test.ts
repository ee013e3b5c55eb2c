import { expect, test } from "vitest";
import { PLACES } from "./places.ts";
import { GO_TO, listShortcuts } from "./shortcuts.ts";

test("every place of the side bar has a letter of its own, and no letter leads elsewhere", () => {
  const places = PLACES.flatMap((each) => each.places).map(({ href }) => href);
  expect(Object.values(GO_TO).toSorted()).toEqual(places.toSorted());
});

test("the list of shortcuts names each place as the side bar does", () => {
  const listed = listShortcuts().flatMap(({ shortcuts }) => shortcuts.map(({ does }) => does));
  for (const { name } of PLACES.flatMap(({ places }) => places)) {
    expect(listed).toContain(name);
  }
});
