"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useState } from "react";
import type { SearchProps } from "./search-box.tsx";
import { findSearch, findSearchBox } from "./search-script.ts";
import { toShown } from "./search-sources.ts";
import type { FoundItem, Source } from "./search-sources.ts";
import { useResultKeys } from "./use-result-keys.ts";
import { ProblemAlert } from "../client/problem-alert.tsx";
import { mayLeave } from "../client/unsaved-changes.ts";
import { ItemContent } from "../ui/item-content.tsx";

/** The results that were shown last, and the text that they are for. */
interface Kept {
  mark: string;
  shown: readonly Source[];
}

/**
 * The results for a text. Enter follows the active result: the first, unless an arrow key chose another. Results of
 * an earlier text stay until newer ones arrive, to avoid flicker, but cannot be chosen.
 */
export function SearchResults({
  text,
  onFetching,
  hint,
  sources,
}: SearchProps & {
  /** What is missing from the text before a search is possible. */
  hint: string | null;
  /** In their fixed order. */
  sources: readonly Source[];
}) {
  const list = useId();
  const isFetching = sources.some(({ isAnswered }) => !isAnswered);
  const shown = toShown(sources);
  const follow = useFollow();
  const active = useResultKeys({ text, items: shown.flatMap(({ items }) => items), follow });
  const isStale = shown.length === 0 && isFetching;
  const visible = useKept(text, shown, isStale);
  const error = sources.find((source) => source.error)?.error ?? null;
  useEffect(() => onFetching(isFetching), [isFetching, onFetching]);
  useEffect(() => {
    const field = findSearchBox();
    field?.setAttribute("aria-controls", list);
    field?.setAttribute("aria-autocomplete", "list");
    if (active === null) {
      field?.removeAttribute("aria-activedescendant");
    } else {
      const option = toOptionId(list, active);
      field?.setAttribute("aria-activedescendant", option);
      document.getElementById(option)?.scrollIntoView({ block: "nearest" });
    }
  }, [list, active]);
  return (
    <>
      {visible.length === 0 ? (
        <p className="text-muted p-4 text-center" role="status">
          {hint ?? (isFetching ? "Searching…" : "No results found.")}
        </p>
      ) : (
        <div
          aria-label="Results"
          className={`menu pt-0 ${isStale ? "opacity-60" : ""}`}
          id={list}
          inert={isStale}
          role="listbox"
        >
          {visible.map(({ heading, items }) => (
            <div aria-label={heading} key={heading} role="group">
              <header role="presentation">{heading}</header>
              {items.map((item) => (
                <Result
                  id={toOptionId(list, item.href)}
                  isActive={!isStale && item.href === active}
                  item={item}
                  key={item.href}
                  onFollow={follow}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {/* Below the results, so that they do not move when a source fails. */}
      <ProblemAlert error={error} />
    </>
  );
}

function Result({
  id,
  item,
  isActive,
  onFollow,
}: {
  id: string;
  item: FoundItem;
  isActive: boolean;
  onFollow: (item: FoundItem) => void;
}) {
  const { name, detail, icon, isDisabled = false } = item;
  return (
    // The search box handles the keys, because it keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      aria-selected={isActive}
      className={`menu-item search-result ${isDisabled ? "cursor-not-allowed opacity-60" : ""}`}
      data-focused={isActive || undefined}
      id={id}
      onClick={() => onFollow(item)}
      role="option"
    >
      <ItemContent detail={detail} icon={icon} isSelected={false} name={name} />
    </div>
  );
}

function toOptionId(list: string, href: string): string {
  return `${list}${href}`;
}

/** Closes the search and goes where the result leads. */
function useFollow(): (item: FoundItem) => void {
  const router = useRouter();
  return ({ href, isDisabled }) => {
    if (!isDisabled && mayLeave()) {
      findSearch()?.close();
      router.push(href);
    }
  };
}

/** The current results or, while they are stale, the ones that were shown before. */
function useKept(text: string, shown: readonly Source[], isStale: boolean): readonly Source[] {
  const [kept, keep] = useState<Kept>({ mark: "", shown: [] });
  const mark = JSON.stringify([
    text,
    shown.map(({ items }) => items.map(({ href, detail }) => [href, detail])),
  ]);
  if (!isStale && mark !== kept.mark) {
    keep({ mark, shown });
  }
  return isStale ? kept.shown : shown;
}
