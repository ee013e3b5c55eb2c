import MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";
import { stemmer } from "stemmer";
import type { FoundRecord } from "./search-sources.ts";

/** Where the documentation begins. */
export const DOCS = "/docs";

/**
 * A place in the documentation, as a page loads it: a guide's section, an operation, or an event. `path` continues
 * `DOCS`; `stems` has the stem of each other word in that place once.
 */
export type ListedEntry = readonly [path: string, name: string, detail: string, stems: string];

export type DocsIndex = MiniSearch<FoundRecord & { stems: string }>;

const SHOWN = 8;

/** Words that occur everywhere and so do not distinguish places. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    "a above after again all also an and another any anything are as ask asked asks at be because been before between " +
    "both but by can cannot come comes do does each else even every everything exactly except five for four from get " +
    "gets give gives goes had happen happened happens has have here how i if in instead into is it its itself just " +
    "keep keeps kept know later like made make makes may mean means more most much my never no nobody none nor not " +
    "nothing now of on once one only or other others out over own rather same say says see since so some somebody " +
    "something stay stays still such take taken takes than that the their them then there these they this those three " +
    "to too two under unless until up use used uses using very was were what when where whether which while who whose " +
    "why will with within without would yet you your yourself"
  ).split(" "),
);

/** The weight of a place in the ranking, relative to other places with the same words. */
const WEIGHTS = [
  { prefix: "/docs/api/events/", weight: 0.7 },
  { prefix: "/docs/api/", weight: 1 },
  { prefix: "/docs/errors#", weight: 0.8 },
  { prefix: "/docs/", weight: 1.3 },
];

export function toDocsIndex(entries: readonly ListedEntry[]): DocsIndex {
  const index: DocsIndex = new MiniSearch({
    idField: "href",
    fields: ["name", "detail", "stems"],
    storeFields: ["href", "name", "detail"],
    processTerm: (word, field) => (field === "stems" ? word : toStem(word.toLowerCase())),
    searchOptions: {
      boost: { name: 4, detail: 2 },
      boostDocument: (href) => toWeight(String(href)),
      prefix: (word) => word.length > 2,
      // One letter may be wrong.
      fuzzy: (word) => (word.length > 4 ? 1 : false),
      combineWith: "AND",
    },
  });
  index.addAll(
    entries.map(([path, name, detail, stems]) => ({ href: `${DOCS}${path}`, name, detail, stems })),
  );
  return index;
}

/** The part that the forms of a word share: "freez" for "freezes" and "freezing". Null for a common word. */
export function toStem(word: string): string | null {
  return COMMON_WORDS.has(word) ? null : stemmer(word);
}

function toWeight(href: string): number {
  return WEIGHTS.find(({ prefix }) => href.startsWith(prefix))?.weight ?? 1;
}

/**
 * The best places that contain every word of the text or, if there are none, some of the words. One letter may be
 * wrong.
 */
export function findDocs(index: DocsIndex, search: string): FoundRecord[] {
  const all = index.search(search);
  return toFound(all.length > 0 ? all : index.search(search, { combineWith: "OR" }));
}

/** The best places that contain every word of the text as typed, at least as the beginning of a word. */
export function findDocsExactly(index: DocsIndex, search: string): FoundRecord[] {
  return toFound(index.search(search, { fuzzy: false }));
}

function toFound(results: readonly SearchResult[]): FoundRecord[] {
  return results.slice(0, SHOWN).map(({ href, name, detail }) => ({
    href: String(href),
    name: String(name),
    detail: String(detail),
  }));
}
