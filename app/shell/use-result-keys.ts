import { useEffect, useEffectEvent, useState } from "react";
import { findSearchBox } from "./search-script.ts";
import type { FoundItem } from "./search-sources.ts";

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The keys of the search's box: arrows choose a result, and Enter follows it. They only apply to results for the text
 * that is in the box at that moment.
 * @returns the address of the active result: the first, unless an arrow key chose another for this text.
 */
export function useResultKeys({
  text,
  items,
  follow,
}: {
  text: string;
  items: readonly FoundItem[];
  follow: (item: FoundItem) => void;
}): string | null {
  const [chosen, choose] = useState({ text: "", href: "" });
  const chosenAt = chosen.text === text ? items.findIndex(({ href }) => href === chosen.href) : -1;
  const activeAt = Math.max(chosenAt, 0);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const isOurs = by !== undefined || event.key === "Enter";
    if (!isOurs || event.isComposing) {
      return;
    }
    event.preventDefault();
    const isCurrent = findSearchBox()?.value.trim() === text;
    const item = isCurrent ? items[activeAt + (by ?? 0)] : undefined;
    if (item && by === undefined) {
      follow(item);
    } else if (item) {
      choose({ text, href: item.href });
    }
  });
  useEffect(() => {
    const field = findSearchBox();
    const listen = (event: KeyboardEvent) => press(event);
    field?.addEventListener("keydown", listen);
    return () => field?.removeEventListener("keydown", listen);
  }, []);
  return items[activeAt]?.href ?? null;
}
