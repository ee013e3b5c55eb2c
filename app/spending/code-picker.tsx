"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { SuggestingField } from "../ui/suggesting-field.tsx";
import { Button } from "../ui/button.tsx";
import { findOptions } from "../client/find-options.ts";
import type { Option } from "../client/use-categories.ts";

/** Chooses any number of codes, found by name or code. */
export function CodePicker({
  label,
  placeholder,
  options,
  nothingFound,
  codes,
  onChange,
}: {
  label: string;
  placeholder: string;
  options: readonly Option[];
  /** The text of the list when no option matches. */
  nothingFound: string;
  codes: readonly string[];
  onChange: (codes: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  /** How many codes were added. Each choice creates a new field, whose list is closed. */
  const [added, setAdded] = useState(0);
  const others = options.filter(({ id }) => !codes.includes(id));
  return (
    <div className="flex flex-col gap-2">
      <SuggestingField
        allowsEmptyCollection
        autoFocus={added > 0}
        defaultFilter={() => true}
        inputValue={text}
        key={added}
        label={label}
        onChange={(key) => {
          setText("");
          if (key !== null) {
            setAdded(added + 1);
            onChange([...codes, String(key)]);
          }
        }}
        onInputChange={setText}
        placeholder={placeholder}
        renderEmptyState={() => <p className="text-muted p-3 text-center">{nothingFound}</p>}
        suggestions={findOptions(others, text).map(({ id, name }) => ({
          id,
          name: `${name} (${id})`,
        }))}
        value={null}
      />
      {codes.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {codes.map((code) => (
            <li
              className="bg-default text-foreground flex max-w-full items-center rounded-md ps-2.5 text-sm"
              key={code}
            >
              <span className="min-w-0 py-1 wrap-break-word">{toName(options, code)}</span>
              <Button
                aria-label={`Remove ${toName(options, code)}`}
                className="shrink-0"
                isIconOnly
                onPress={() => onChange(codes.filter((each) => each !== code))}
                size="sm"
                variant="ghost"
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function toName(options: readonly Option[], code: string): string {
  const found = options.find(({ id }) => id === code);
  return found ? `${found.name} (${code})` : code;
}
