"use client";

import { LoaderCircle, Search } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxSection } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";
import type { FoundRecord } from "./palette-search.ts";
import { mayLeave } from "../client/unsaved-changes.ts";
import { ProblemAlert } from "../client/problem-alert.tsx";
import type { Elements } from "../ui/elements.ts";
import { ListItem } from "../ui/list-item.tsx";
import { Overlay } from "../ui/overlay.tsx";

/** A text, and what it finds. Each choice leads to an address, so that everything in it can also be linked to. */
export function SearchDialog({
  text,
  placeholder,
  hint,
  isFetching,
  error,
  onChange,
  onClose,
  children,
}: {
  text: string;
  placeholder: string;
  /** What is missing from the text before a search is possible. */
  hint: string | null;
  isFetching: boolean;
  error: Error | null;
  onChange: (text: string) => void;
  onClose: () => void;
  /** Sections whose items have their addresses as ids. */
  children: Elements;
}) {
  const router = useRouter();
  const follow = (href: string) => {
    if (href.startsWith("/") && mayLeave()) {
      onClose();
      router.push(href);
    }
  };
  return (
    // It scrolls as a whole: a list that scrolls by itself would need a focus of its own.
    <Overlay
      className="dialog mx-auto mb-auto max-h-110 max-w-lg overflow-y-auto"
      label="Search"
      onClose={onClose}
    >
      <Autocomplete inputValue={text} onInputChange={onChange}>
        <SearchField aria-label="Search" autoFocus className="bg-overlay sticky top-0 z-10 p-2">
          <div className="input input-group">
            <Search aria-hidden />
            <Input placeholder={placeholder} />
            {isFetching && <LoaderCircle aria-hidden className="animate-spin" />}
          </div>
        </SearchField>
        <ProblemAlert error={error} />
        <ListBox
          aria-label="Results"
          className="menu pt-0"
          onAction={(href) => follow(String(href))}
          renderEmptyState={() => (
            <p className="text-muted p-4 text-center">
              {hint ?? (isFetching ? "Searching…" : "No results found.")}
            </p>
          )}
          selectionMode="none"
        >
          {children}
        </ListBox>
      </Autocomplete>
    </Overlay>
  );
}

/** What was found of one kind; nothing if there is none. */
export function FoundSection({
  heading,
  icon,
  records,
}: {
  heading: string;
  icon: LucideIcon;
  records: readonly FoundRecord[];
}) {
  if (records.length === 0) {
    return null;
  }
  return (
    <ListBoxSection>
      <Header>{heading}</Header>
      {records.map(({ href, name, detail }) => (
        <ListItem
          detail={detail}
          icon={icon}
          id={href}
          key={href}
          name={name}
          textValue={`${name}, ${detail}`}
        />
      ))}
    </ListBoxSection>
  );
}
