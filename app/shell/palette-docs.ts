import { useQuery } from "@tanstack/react-query";
import type { FoundRecord } from "./palette-search.ts";

const SHOWN = 6;

/** The guides and operations whose name, method, or path contains every word of the text. */
export function useDocsSearch(search: string): readonly FoundRecord[] {
  const { data = [] } = useQuery({
    queryKey: ["docs"],
    queryFn: ({ signal }) => readContents(signal),
    enabled: search !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  return search === "" ? [] : findDocs(data, search);
}

/** Names that begin with the text come first. */
export function findDocs(entries: readonly FoundRecord[], search: string): FoundRecord[] {
  const words = search.toLowerCase().split(/\s+/u);
  const rank = ({ name }: FoundRecord) => Number(!name.toLowerCase().startsWith(words.join(" ")));
  return entries
    .filter((entry) => {
      const text = `${entry.name} ${entry.detail} ${entry.href}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
}

async function readContents(signal: AbortSignal): Promise<FoundRecord[]> {
  const response = await fetch("/docs/contents.json", { signal });
  if (!response.ok) {
    throw new Error("The list of guides and operations could not be read.");
  }
  // Made by this server for this component (app/docs/contents.json/route.ts).
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as FoundRecord[];
}
