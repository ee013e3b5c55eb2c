import { FIELD_KINDS } from "./field.ts";
import type { Kind, Names } from "./field.ts";
import { FilterChips } from "./filter-chips.tsx";
import { toListHref } from "./list.ts";
import type { AskedList } from "./list.ts";
import { IgnoredFilters } from "../ui/ignored-filters.tsx";

interface Props {
  asked: AskedList;
  names: Names;
  currency: string;
}

/** What a list is narrowed down by, each part with its removal, and what could not be used. */
export function ListNotes({ asked, names, currency }: Props) {
  const applied = listApplied({ asked, names, currency });
  const none = Object.fromEntries(applied.map(({ name }) => [name, undefined]));
  return (
    <>
      <IgnoredFilters given={asked.given} used={asked.values} />
      <FilterChips
        chips={applied.map(({ name, text }) => ({
          text,
          href: toListHref(asked, { [name]: undefined }),
        }))}
        clearHref={toListHref(asked, none)}
      />
    </>
  );
}

/** The filters that are applied, in words, as far as they do not show their value themselves. */
function listApplied({ asked: { list, values }, names, currency }: Props) {
  return Object.entries(list.fields).flatMap(([name, field]) => {
    const value = values[name];
    const kind: Kind = FIELD_KINDS[field.kind];
    const text = value && kind.toWords?.({ field, value, named: names[name] ?? [], currency });
    return text ? [{ name, text }] : [];
  });
}
