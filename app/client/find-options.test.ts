import { expect, test } from "vitest";
import { findOptions } from "./find-options.ts";
import { listCountries } from "#lib/base/countries.ts";
import { listCategories } from "#lib/transactions/merchant-category.ts";

const CATEGORIES = listCategories().map(({ code, name }) => ({ id: code, name }));

const find = (options: typeof CATEGORIES, text: string) =>
  findOptions(options, text).map(({ id }) => id);

test("options are found by code and by name, those whose code begins so first", () => {
  expect(find(CATEGORIES, "581")[0]).toBe("5811");
  expect(find(CATEGORIES, " Fast food ")).toContain("5814");
  expect(find(listCountries(), "us")[0]).toBe("US");
  expect(find(listCountries(), "us")).toContain("AU");
  expect(find(listCountries(), "united s")[0]).toBe("US");
  expect(find(CATEGORIES, "no such category")).toEqual([]);
});

test("a list is never longer than anyone reads", () => {
  expect(find(CATEGORIES, "")).toHaveLength(50);
});
