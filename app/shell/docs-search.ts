import { useQuery } from "@tanstack/react-query";
import { findDocs, toDocsIndex } from "./docs-index.ts";
import type { DocsIndex, ListedEntry } from "./docs-index.ts";
import type { FoundRecord } from "./palette-search.ts";

/** Searches the documentation, whose index is loaded with the first text. */
export function useDocsSearch(search: string) {
  const query = useQuery({
    queryKey: ["docs"],
    queryFn: ({ signal }) => readIndex(signal),
    enabled: search !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found: readonly FoundRecord[] =
    query.data && search !== "" ? findDocs(query.data, search) : [];
  return { found, isFetching: query.isFetching, error: query.error };
}

async function readIndex(signal: AbortSignal): Promise<DocsIndex> {
  const response = await fetch("/docs/contents.json", { signal });
  if (!response.ok) {
    throw new Error("The contents of the documentation could not be read.");
  }
  // Made by this server for this search (app/docs/contents.json/route.ts).
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return toDocsIndex((await response.json()) as ListedEntry[]);
}
