"use client";

import { useId, useSyncExternalStore } from "react";
import type { ChangeEvent } from "react";

/** Which rows are selected, by id. */
interface Selected {
  selected: ReadonlySet<string>;
  onChange: (selected: Set<string>) => void;
}

/** The selection of a list's items, and the accessible name of a row's checkbox. */
export interface RowSelection<Item> extends Selected {
  nameOf: (item: Item) => string;
}

/** The header cell that selects all rows of the page, or none. */
export function SelectAll({
  ids,
  selection: { selected, onChange },
}: {
  ids: readonly string[];
  selection: Selected;
}) {
  const isAll = ids.every((id) => selected.has(id));
  const id = useId();
  return (
    <th className="pick" scope="col">
      <div className="select-all">
        <Box
          id={id}
          isPartial={!isAll && selected.size > 0}
          isSelected={isAll}
          label="Select all"
          onChange={() => onChange(new Set(isAll ? [] : ids))}
        />
        <label htmlFor={id}>Select all</label>
      </div>
    </th>
  );
}

/** The cell that selects a row; with Shift held, also all rows from the nearest selected one above it. */
export function SelectRow({
  id,
  ids,
  name,
  selection: { selected, onChange },
}: {
  id: string;
  ids: readonly string[];
  name: string;
  selection: Selected;
}) {
  const isSelected = selected.has(id);
  const change = ({ nativeEvent }: ChangeEvent) => {
    const next = new Set(selected);
    if (isSelected) {
      next.delete(id);
    } else {
      const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
      toAdded(id, ids, isRange ? selected : null).forEach((each) => next.add(each));
    }
    onChange(next);
  };
  return (
    <td className="pick">
      <Box isPartial={false} isSelected={isSelected} label={`Select ${name}`} onChange={change} />
    </td>
  );
}

function toAdded(
  id: string,
  ids: readonly string[],
  range: ReadonlySet<string> | null,
): readonly string[] {
  const above = ids.slice(0, ids.indexOf(id) + 1);
  const from = range ? above.findLastIndex((each) => range.has(each)) : -1;
  return from < 0 ? [id] : above.slice(from);
}

/** A checkbox that is enabled once its script has loaded: an earlier click would be lost. */
function Box({
  id,
  label,
  isSelected,
  isPartial,
  onChange,
}: {
  id?: string;
  label: string;
  isSelected: boolean;
  isPartial: boolean;
  onChange: (event: ChangeEvent) => void;
}) {
  const isHydrated = useSyncExternalStore(subscribe, onClient, onServer);
  return (
    <input
      aria-label={label}
      checked={isSelected}
      disabled={!isHydrated}
      id={id}
      onChange={onChange}
      ref={(box) => {
        if (box) {
          box.indeterminate = isPartial;
        }
      }}
      type="checkbox"
    />
  );
}

const subscribe = () => () => undefined;
const onClient = () => true;
const onServer = () => false;
