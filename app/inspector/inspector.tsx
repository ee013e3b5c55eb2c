"use client";

import { useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import type { InspectedRecord } from "./inspected-record.ts";
import { InspectorContext } from "../ui/inspector-context.ts";
import type { RowInspector } from "../ui/inspector-context.ts";
import { InspectorPanel } from "./inspector-panel.tsx";
import { useInspectorKeys } from "./use-inspector-keys.ts";
import { findLink, useRowFocus } from "./use-row-focus.ts";
import { useOpenRecord } from "./use-open-record.ts";

/** From this width on, there is room for a record beside a list; below it, a row leads to the record's page. */
const WIDE = "(width >= 85rem)";

/**
 * A list with the open record beside it: a row opens it, arrow keys move to its neighbors, and Escape closes it. On a
 * narrow screen, where only a link leads here, the record replaces the list.
 */
export function Inspector({
  ids,
  record,
  children,
}: {
  /** The records of the list, in its order. */
  ids: readonly string[];
  /** The open record, as the server sent it. */
  record: InspectedRecord | null;
  /** The list. */
  children: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const shownId = record?.id ?? null;
  const { openId, closedHref, show, close } = useOpenRecord(shownId);
  const rows = useRowInspector(openId, show);
  const neighbors = toNeighbors(ids, openId);
  const move = (by: 1 | -1) => {
    const id = neighbors[by];
    if (id !== undefined) {
      show(id);
    }
    return findLink(frame, id);
  };
  useInspectorKeys(frame, openId !== null, {
    onStep: (by) => move(by)?.focus(),
    onClose: close,
  });
  useRowFocus(frame, { openId, shownId });
  return (
    <div
      className="group/inspector grid grid-cols-1 items-start gap-6 min-[85rem]:data-open:grid-cols-[minmax(0,1fr)_24rem]"
      data-open={openId === null ? undefined : true}
      ref={frame}
    >
      <div className="inspected-list min-w-0 max-[85rem]:group-data-open/inspector:hidden">
        <InspectorContext value={rows}>{children}</InspectorContext>
      </div>
      {openId !== null && (
        <InspectorPanel
          closedHref={closedHref}
          isStale={shownId !== openId}
          neighbors={neighbors}
          onClose={close}
          onStep={(by) => move(by)?.scrollIntoView({ block: "nearest" })}
          record={record}
        />
      )}
      <p className="sr-only" role="status">
        {shownId === openId ? record?.label : ""}
      </p>
    </div>
  );
}

/** The records before and after the open one. A record that is not in the list counts as before the first. */
function toNeighbors(ids: readonly string[], openId: string | null) {
  const index = openId === null ? -1 : ids.indexOf(openId);
  return { [-1]: ids[index - 1], 1: ids[index + 1] };
}

/** The functions that the rows of the list call. */
function useRowInspector(openId: string | null, show: (id: string) => void): RowInspector {
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  return useMemo(
    () => ({
      openId,
      show: (id: string) => {
        const hasRoom = openId !== null || matchMedia(WIDE).matches;
        if (hasRoom) {
          latest.current(id);
        }
        return hasRoom;
      },
      follow: (id: string) => {
        if (openId !== null) {
          latest.current(id);
        }
      },
    }),
    [openId],
  );
}
