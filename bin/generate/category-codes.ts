import { listCategories } from "#lib/transactions/merchant-category.ts";

/** The text of the file with the codes of all merchant categories, without their names: browsers load it. */
export function listCategoryCodes(): Record<string, string> {
  const codes = listCategories().map(({ code }) => code);
  return {
    "lib/transactions/category-codes.ts": [
      "// Written by npm run generate.",
      "",
      "const CODES =",
      `  ${JSON.stringify(codes.join(" "))};`,
      "",
      "/** The codes of all merchant categories of ISO 18245. */",
      'export const CATEGORY_CODES: ReadonlySet<string> = new Set(CODES.split(" "));',
      "",
    ].join("\n"),
  };
}
