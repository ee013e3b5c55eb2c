"use client";

import { BookOpen } from "lucide-react";
import { useState } from "react";
import { useDocsSearch } from "../../shell/docs-search.ts";
import { SearchDialog, FoundSection } from "../../shell/search-dialog.tsx";

/** The search of the documentation. */
export function DocsDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const search = text.trim();
  const { found, isFetching, error } = useDocsSearch(search);
  return (
    <SearchDialog
      error={error}
      hint={search === "" ? "Guides, operations, events, and error codes." : null}
      isFetching={isFetching}
      onChange={setText}
      onClose={onClose}
      placeholder="Search the documentation"
      text={text}
    >
      <FoundSection heading="Documentation" icon={BookOpen} records={found} />
    </SearchDialog>
  );
}
