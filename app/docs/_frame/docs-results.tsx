"use client";

import { findDocs } from "../../shell/docs-index.ts";
import { useDocsSearch } from "../../shell/docs-search.ts";
import type { SearchProps } from "../../shell/search-box.tsx";
import { SearchResults } from "../../shell/search-results.tsx";

/** The results for a text in the documentation. */
export function DocsResults(props: SearchProps) {
  return (
    <SearchResults
      {...props}
      hint={props.text === "" ? "Guides, operations, events, and error codes." : null}
      sources={[useDocsSearch(props.text, findDocs)]}
    />
  );
}
