import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentType } from "react";
import { FIELD_KINDS } from "./field.ts";
import type { Field, FieldKind, Names } from "./field.ts";
import { FilterButton } from "./filter-button.tsx";
import { toListHref } from "./list.ts";
import type { ListQuery, ColumnName } from "./list.ts";
import { SearchFilter } from "./search-filter.tsx";
import { ColumnsButton } from "./columns-button.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { SegmentedLinks } from "../ui/segmented-links.tsx";

/** The controls of a list: its search and its most used filters, with a dialog for the rest. */
export function ListBar({
  listQuery,
  names,
  currency,
}: {
  listQuery: ListQuery;
  names: Names;
  currency: string;
}) {
  const { list, values } = listQuery;
  const inDialog = Object.entries(list.fields).filter(
    ([, { kind }]) => FIELD_KINDS[kind].place === "dialog",
  );
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:contents">
      {Object.entries(list.fields).map(([name, field]) => {
        const Part = PARTS[field.kind];
        return Part && <Part listQuery={listQuery} field={field} key={name} name={name} />;
      })}
      {list.columns && (
        <ColumnsButton columns={list.columns.map(toName)} path={list.path} values={values} />
      )}
      {inDialog.length > 0 && (
        <FilterButton
          currency={currency}
          fields={Object.fromEntries(inDialog)}
          names={names}
          noun={list.noun}
          path={list.path}
          values={values}
        />
      )}
    </div>
  );
}

/** The column without its cells, which are not sent to the browser. */
function toName({ id, name, isExtra }: ColumnName): ColumnName {
  return { id, name, ...(isExtra && { isExtra }) };
}

interface PartProps {
  listQuery: ListQuery;
  name: string;
  field: Field;
}

function SearchPart({ name, field: { label, placeholder = "" } }: PartProps) {
  return (
    <SearchFilter
      className="w-full sm:max-w-80 sm:min-w-28 sm:flex-1 sm:basis-28"
      label={label}
      name={name}
      placeholder={placeholder}
    />
  );
}

function SegmentPart({ listQuery, name, field }: PartProps) {
  const { label, all = "All", options = [], replaces = [] } = field;
  const ended = Object.fromEntries(replaces.map((each) => [each, undefined]));
  const shown = [name, ...replaces].every((each) => listQuery.values[each] === undefined)
    ? ALL
    : listQuery.values[name];
  const links = [{ id: ALL, name: all }, ...options].map((option) => ({
    name: option.name,
    href: toListHref(listQuery, { ...ended, [name]: option.id === ALL ? undefined : option.id }),
    isCurrent: shown === option.id,
  }));
  return (
    // Scrolls before anything wraps to another line, for example while a record is open beside the list.
    <div className="flex max-w-max min-w-0 grow basis-48 max-sm:basis-full">
      <SegmentedLinks label={label} links={links} />
    </div>
  );
}

/** Stands for no value of a segment. */
const ALL = "";

/** Switches between the usual order and the opposite one. */
function OrderPart({ listQuery, name, field: { label, options } }: PartProps) {
  const other = options?.[0];
  const isUsual = listQuery.values[name] === undefined;
  return (
    <LinkButton
      href={toListHref(listQuery, { [name]: isUsual ? other?.id : undefined })}
      size="sm"
      variant="ghost"
    >
      {isUsual ? <ArrowDown aria-hidden /> : <ArrowUp aria-hidden />}
      <span>{isUsual ? label : other?.name}</span>
    </LinkButton>
  );
}

const PARTS: Readonly<Partial<Record<FieldKind, ComponentType<PartProps>>>> = {
  search: SearchPart,
  segment: SegmentPart,
  order: OrderPart,
};
