"use client";

import { Description, Header, Label, ListBox, Modal, SearchField, Spinner } from "@heroui/react";
import type { LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { Autocomplete } from "react-aria-components/Autocomplete";
import type { FoundRecord } from "./palette-search.ts";
import { mayLeave } from "../client/unsaved-changes.ts";
import { ProblemAlert } from "../client/problem-alert.tsx";
import type { Elements } from "../ui/elements.ts";

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
    <Modal.Backdrop isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal.Container placement="top" size="lg">
        {/* It scrolls as a whole: a list that scrolls by itself would need a focus of its own. */}
        <Modal.Dialog aria-label="Search" className="max-h-110 gap-2 overflow-y-auto p-2">
          <Autocomplete inputValue={text} onInputChange={onChange}>
            <SearchField
              aria-label="Search"
              autoFocus
              className="sticky top-0 z-10"
              fullWidth
              variant="secondary"
            >
              <SearchField.Group>
                <SearchField.SearchIcon />
                <SearchField.Input placeholder={placeholder} />
                {isFetching && <Spinner size="sm" />}
              </SearchField.Group>
            </SearchField>
            <ProblemAlert error={error} />
            <ListBox
              aria-label="Results"
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
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

/** What was found of one kind; nothing if there is none. */
export function FoundSection({
  heading,
  icon: Icon,
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
    <ListBox.Section>
      <Header>{heading}</Header>
      {records.map(({ href, name, detail }) => (
        <ListBox.Item id={href} key={href} textValue={`${name}, ${detail}`}>
          <Icon aria-hidden className="text-muted size-4 shrink-0" />
          <Label>{name}</Label>
          <Description>{detail}</Description>
        </ListBox.Item>
      ))}
    </ListBox.Section>
  );
}
