"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ColumnName } from "./list.ts";
import { DialogForm } from "../client/dialog-form.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Choice } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toHref } from "../ui/pager.tsx";

const DENSITIES = [
  { id: "comfortable", name: "Comfortable" },
  { id: "compact", name: "Compact" },
] as const;

/** Chooses the columns of a list, their order, and the height of its rows. */
export function ColumnsDialog({
  columns: [name, ...others],
  values,
  path,
  onClose,
}: {
  columns: readonly ColumnName[];
  /** The members of the list's URL; its filters stay. */
  values: Readonly<Record<string, string | undefined>>;
  path: string;
  onClose: () => void;
}) {
  const router = useRouter();
  const usual = others.filter(({ isExtra }) => !isExtra).map(({ id }) => id);
  const shown = values["columns"]?.split(",") ?? usual;
  const [order, setOrder] = useState(() => [
    ...shown,
    ...others.map(({ id }) => id).filter((id) => !shown.includes(id)),
  ]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(shown));
  const [density, setDensity] = useState<(typeof DENSITIES)[number]["id"]>(
    values["density"] === "compact" ? "compact" : "comfortable",
  );
  const show = () => {
    const ids = order.filter((id) => chosen.has(id)).join(",");
    onClose();
    router.push(
      toHref(path, {
        ...values,
        columns: ids === usual.join(",") ? undefined : ids,
        density: density === "compact" ? density : undefined,
      }),
    );
  };
  return (
    <Dialog onClose={onClose} size="sm" title="Columns">
      <DialogForm
        action="Show"
        disabledReason={chosen.size === 0 ? "Choose at least one column." : null}
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={show}
      >
        {name && <p className="text-muted">{`${name.name} is always the first.`}</p>}
        <ul aria-label="Columns" className="divide-separator divide-y">
          {order.map((id, index) => (
            <ColumnLine
              isChosen={chosen.has(id)}
              isFirst={index === 0}
              isLast={index === order.length - 1}
              key={id}
              name={others.find((column) => column.id === id)?.name ?? id}
              onChoose={() => setChosen(chosen.symmetricDifference(new Set([id])))}
              onMove={(by) => setOrder(move(order, index, by))}
            />
          ))}
        </ul>
        <Choice label="Rows" onChange={setDensity} options={DENSITIES} value={density} />
      </DialogForm>
    </Dialog>
  );
}

function ColumnLine({
  name,
  isChosen,
  isFirst,
  isLast,
  onChoose,
  onMove,
}: {
  name: string;
  isChosen: boolean;
  isFirst: boolean;
  isLast: boolean;
  onChoose: () => void;
  onMove: (by: 1 | -1) => void;
}) {
  return (
    <li className="flex items-center gap-1 py-1">
      <Checkbox className="flex-1" isSelected={isChosen} onChange={onChoose}>
        {name}
      </Checkbox>
      <Button
        aria-label={`Move ${name} up`}
        isDisabled={isFirst}
        isIconOnly
        onPress={() => onMove(-1)}
        size="sm"
        variant="ghost"
      >
        <ArrowUp aria-hidden />
      </Button>
      <Button
        aria-label={`Move ${name} down`}
        isDisabled={isLast}
        isIconOnly
        onPress={() => onMove(1)}
        size="sm"
        variant="ghost"
      >
        <ArrowDown aria-hidden />
      </Button>
    </li>
  );
}

/** The list with one item moved by one position. */
function move(list: readonly string[], index: number, by: 1 | -1): string[] {
  const moved = list[index];
  const others = list.toSpliced(index, 1);
  return moved === undefined ? others : others.toSpliced(index + by, 0, moved);
}
