import { FIELD_KINDS } from "./field.ts";
import type { Kind, Names } from "./field.ts";
import { FilterChips } from "./filter-chips.tsx";
import { toListHref } from "./list.ts";
import type { ListQuery } from "./list.ts";
import { IgnoredFilters } from "../ui/ignored-filters.tsx";

interface Props {
  listQuery: ListQuery;
  names: Names;
  currency: string;
}

/** The applied filters of a list, each with a link that removes it, and the filters that could not be used. */
export function ListNotes({ listQuery, names, currency }: Props) {
  const applied = listApplied({ listQuery, names, currency });
  const none = Object.fromEntries(applied.map(({ name }) => [name, undefined]));
  return (
    <>
      <IgnoredFilters given={listQuery.given} used={listQuery.values} />
      <FilterChips
        chips={applied.map(({ name, text }) => ({
          text,
          href: toListHref(listQuery, { [name]: undefined }),
        }))}
        clearHref={toListHref(listQuery, none)}
      />
    </>
  );
}

/** The applied filters in words, except those whose controls show their values. */
function listApplied({ listQuery: { list, values }, names, currency }: Props) {
  return Object.entries(list.fields).flatMap(([name, field]) => {
    const value = values[name];
    const kind: Kind = FIELD_KINDS[field.kind];
    const text = value && kind.toWords?.({ field, value, named: names[name] ?? [], currency });
    return text ? [{ name, text }] : [];
  });
}
