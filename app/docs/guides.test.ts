import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Token } from "marked";
import { describe, expect, test } from "vitest";
import { toCodeHref, toLinkHref } from "./_markdown/links.ts";
import { parseMarkdown, toFragment } from "./_markdown/parse.ts";
import { GUIDES, toGuideHref } from "./guides.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const readGuide = (file: string) =>
  parseMarkdown(readFileSync(path.join(ROOT, "docs", file), "utf8"));

/** Every token of a document, those within others included. */
function walk(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => {
    const within = [
      ...(token.type === "table" ? [...token["header"], ...token["rows"].flat()] : []),
      ...(token.type === "list" ? token["items"] : []),
    ] as { tokens: Token[] }[];
    const inner = "tokens" in token ? (token.tokens ?? []) : [];
    return [token, ...walk([...inner, ...within.flatMap((each) => each.tokens)])];
  });
}

const anchors = new Map(
  GUIDES.map((guide) => [
    toGuideHref(guide),
    walk(readGuide(guide.file)).flatMap((token) =>
      token.type === "heading" ? [toFragment(token.text)] : [],
    ),
  ]),
);

describe.each(GUIDES)("$name", (guide) => {
  const tokens = walk(readGuide(guide.file));

  test("every link leads to a page that is served, and to a heading of it", () => {
    const links = tokens.flatMap((token) => (token.type === "link" ? [String(token["href"])] : []));
    for (const href of links.filter((each) => !/^https?:/u.test(each))) {
      const [page = "", fragment] = toLinkHref(href).split("#", 2);
      const headings = anchors.get(page === "" ? toGuideHref(guide) : page);
      expect([href, fragment === undefined || headings?.includes(fragment)]).toEqual([href, true]);
    }
  });

  test("every operation that it names by method and path exists", () => {
    const unknown = tokens
      .flatMap((token) => (token.type === "codespan" ? [String(token["text"])] : []))
      .filter((code) => /^(?:GET|POST|PATCH|DELETE) \/[^?\s…]+$/u.test(code))
      .filter((code) => toCodeHref(code) === null);
    expect(unknown).toEqual([]);
  });

  test("its headings have fragments of their own", () => {
    const fragments = anchors.get(toGuideHref(guide)) ?? [];
    expect(new Set(fragments).size).toBe(fragments.length);
  });

  test("README.md lists it", () => {
    expect(readFileSync(path.join(ROOT, "README.md"), "utf8")).toContain(`(docs/${guide.file})`);
  });
});

const WORDS_MAX = 10_000;

test(`all guides together have at most ${WORDS_MAX} words, code blocks aside`, () => {
  const words = GUIDES.flatMap(({ file }) =>
    readFileSync(path.join(ROOT, "docs", file), "utf8")
      .replaceAll(/^```.*?^```$/gmsu, "")
      .split(/\s+/u)
      .filter((each) => /\w/u.test(each)),
  );
  expect(words.length).toBeGreaterThan(WORDS_MAX / 2);
  expect(words.length).toBeLessThanOrEqual(WORDS_MAX);
});

test("a link to a file that is not served is refused", () => {
  expect(() => toLinkHref("operations.md#monitoring")).toThrow("not served");
  expect(existsSync(path.join(ROOT, "docs/operations.md"))).toBe(true);
});

test("every document is a guide, or for those who run the server", () => {
  const documents = readdirSync(path.join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
  const operators = [
    "alerts.md",
    "configuration.md",
    "decisions.md",
    "ledger.md",
    "operations.md",
    "reliability.md",
    "scaling.md",
    "security.md",
  ];
  expect(documents.toSorted()).toEqual(
    [...GUIDES.map(({ file }) => file), ...operators].toSorted(),
  );
});

test("the guide to go live names the unit of each amount in a file", () => {
  const guide = readFileSync(path.join(ROOT, "docs/go-live.md"), "utf8");
  const files = OPERATIONS.filter((each) => each.path.startsWith("/exports/"));
  expect(files.length).toBeGreaterThan(5);
  for (const { path: at, examples } of files) {
    const [columns = "", cells = ""] = String(examples[0].answer).split("\r\n");
    const values = cells.split(",");
    const amounts = columns
      .split(",")
      .filter((_, index) => /^-?\d+\.\d\d$/u.test(values[index] ?? ""));
    const row = guide.split("\n").find((line) => line.includes(`${at}\``)) ?? "";
    expect([at, amounts.filter((name) => !row.includes(`**\`${name}\`**`))]).toEqual([at, []]);
  }
});
