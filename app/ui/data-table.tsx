"use client";

import { Checkbox, Table } from "@heroui/react";
import type { Selection } from "@heroui/react";
import type { ReactNode } from "react";

/** A column. The first one names the row. `wideOnly` ones are left out where there is no room. */
export interface Column {
  id: string;
  name: string;
  align?: "end";
  wideOnly?: boolean;
}

/** A row, its cells in the order of the columns; with `href` it leads somewhere. */
export interface Row {
  id: string;
  href?: string;
  /** What the row is called when it is read out or searched by typing. */
  text: string;
  cells: readonly ReactNode[];
}

/** Rows of one kind, walked with the arrow keys. */
export function DataTable({
  label,
  columns,
  rows,
  empty,
  selection,
}: {
  label: string;
  columns: readonly Column[];
  rows: readonly Row[];
  empty: ReactNode;
  selection?: { selected: ReadonlySet<string>; onChange: (selected: Set<string>) => void };
}) {
  const onSelectionChange = (keys: Selection) =>
    selection?.onChange(keys === "all" ? new Set(rows.map(({ id }) => id)) : toStrings(keys));
  if (rows.length === 0) {
    return empty;
  }
  return (
    <Table variant="secondary">
      <Table.ScrollContainer>
        <Table.Content
          aria-label={label}
          {...(selection
            ? { selectionMode: "multiple", selectedKeys: selection.selected, onSelectionChange }
            : {})}
        >
          <Table.Header>
            {selection && (
              <Table.Column className="w-10 pr-0">
                <SelectionBox label="Select all" />
              </Table.Column>
            )}
            {columns.map((column, index) => (
              <Table.Column
                className={toClass(column)}
                id={column.id}
                isRowHeader={index === 0}
                key={column.id}
              >
                {column.name}
              </Table.Column>
            ))}
          </Table.Header>
          <Table.Body>
            {rows.map((row) => (
              <Table.Row
                id={row.id}
                key={row.id}
                textValue={row.text}
                {...(row.href === undefined ? {} : { href: row.href })}
              >
                {selection && (
                  <Table.Cell className="pr-0">
                    <SelectionBox label={`Select ${row.text}`} />
                  </Table.Cell>
                )}
                {columns.map((column, index) => (
                  <Table.Cell className={toClass(column)} key={column.id}>
                    {row.cells[index]}
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Content>
      </Table.ScrollContainer>
    </Table>
  );
}

function SelectionBox({ label }: { label: string }) {
  return (
    <Checkbox aria-label={label} slot="selection">
      <Checkbox.Content>
        <Checkbox.Control>
          <Checkbox.Indicator />
        </Checkbox.Control>
      </Checkbox.Content>
    </Checkbox>
  );
}

function toStrings(keys: Set<string | number>): Set<string> {
  return new Set([...keys].map(String));
}

function toClass({ align, wideOnly }: Column): string {
  return `${align === "end" ? "text-end" : ""} ${wideOnly ? "max-md:hidden" : ""}`;
}
