"use client";

import { useState } from "react";
import { SuggestingField } from "../ui/suggesting-field.tsx";
import { findOptions } from "./find-options.ts";
import { useCategories } from "./use-categories.ts";
import { UNKNOWN_CATEGORY } from "#lib/transactions/unknown-spend.ts";

/** Picks one merchant category, found by its name or code. */
export function CategoryPicker({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (code: string | undefined) => void;
}) {
  /** Null unless the person is searching. */
  const [typed, setTyped] = useState<string | null>(null);
  const { options, isError } = useCategories();
  const categories = [UNKNOWN_CATEGORY, ...options];
  const chosen = categories.find(({ id }) => id === value);
  return (
    <SuggestingField
      allowsEmptyCollection
      defaultFilter={() => true}
      inputValue={typed ?? (chosen ? toName(chosen) : (value ?? ""))}
      label="Category"
      // Also called when the list closes without a choice: the name of the chosen category comes back.
      onChange={(key) => {
        setTyped(null);
        if (key !== null) {
          onChange(String(key));
        }
      }}
      onInputChange={(text) => {
        setTyped(text);
        if (text === "") {
          onChange(undefined);
        }
      }}
      placeholder="Name or code"
      renderEmptyState={() => (
        <p className="text-muted p-3 text-center">
          {isError ? "Couldn't load categories." : "No category found."}
        </p>
      )}
      suggestions={findOptions(categories, typed ?? "").map((option) => ({
        id: option.id,
        name: toName(option),
      }))}
      value={value ?? null}
    />
  );
}

function toName({ id, name }: { id: string; name: string }): string {
  return id === UNKNOWN_CATEGORY.id ? name : `${name} (${id})`;
}
