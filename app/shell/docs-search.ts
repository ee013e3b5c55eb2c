import { useQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { toDocsIndex } from "./docs-index.ts";
import type { DocsIndex, ListedEntry } from "./docs-index.ts";
import type { FoundRecord, Source } from "./search-sources.ts";

/** Searches the documentation, whose index is loaded with the first text. */
export function useDocsSearch(
  search: string,
  find: (index: DocsIndex, search: string) => readonly FoundRecord[],
): Source {
  const isAsked = search !== "";
  const query = useQuery({
    queryKey: ["docs"],
    queryFn: ({ signal }) => readIndex(signal),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = query.data && isAsked ? find(query.data, search) : [];
  return {
    heading: "Documentation",
    items: found.map((record) => ({ ...record, icon: BookOpen })),
    isAnswered: !isAsked || !query.isPending,
    error: query.error,
  };
}

async function readIndex(signal: AbortSignal): Promise<DocsIndex> {
  const response = await fetch("/docs/contents.json", { signal });
  if (!response.ok) {
    throw new Error("The contents of the documentation could not be read.");
  }
  // This server made the index for this search (app/docs/contents.json/route.tsx).
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return toDocsIndex((await response.json()) as ListedEntry[]);
}
