"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";

const CONTROLS = "a, button, input";

/** Where an arrow key leads from a control: by so many rows and so many controls of the row. */
const STEPS: Readonly<Record<string, readonly [rows: number, controls: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/**
 * The body of a table. Its rows are one stop of the Tab key; arrow keys, Home and End move between their controls, as
 * in the grid pattern of the ARIA Authoring Practices Guide. A plain click anywhere on a row follows its link without
 * loading the page anew.
 */
export function TableRows({ children }: { children: ReactNode }) {
  const router = useRouter();
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const controls = [...(body.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
    const stop = controls.find((control) => control === document.activeElement) ?? controls[0];
    stopAt(controls, stop);
  });
  const follow = (event: MouseEvent<HTMLElement>) => {
    const link = findRow(event.target)?.querySelector<HTMLAnchorElement>("a.row-link");
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (link && isPlain && isOfRow(event.target, link)) {
      event.preventDefault();
      router.push(link.getAttribute("href") ?? "");
    }
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    const next = step && findNext(event.target, step);
    if (next) {
      event.preventDefault();
      stopAt([...(body.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])], next);
      next.focus();
    }
  };
  return (
    // The controls inside are what is focused; the body only hears of it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <tbody onClick={follow} onKeyDown={move} ref={body}>
      {children}
    </tbody>
  );
}

/** Whether a click there is one on the row itself, and not on another control of it. */
function isOfRow(target: EventTarget, link: HTMLAnchorElement): boolean {
  const control = target instanceof Element ? target.closest("a, button, input, label") : null;
  return control === null || control === link;
}

function findRow(target: EventTarget): HTMLTableRowElement | null {
  return target instanceof Element ? target.closest("tr") : null;
}

/** Rows without a control are passed over. A row with fewer controls is entered at its last one. */
function findNext(
  target: EventTarget,
  [rows, controls]: readonly [number, number],
): HTMLElement | undefined {
  const row = findRow(target);
  if (!row || !(target instanceof HTMLElement)) {
    return undefined;
  }
  const all = [...(row.parentElement?.children ?? [])].filter(
    (each) => listControls(each).length > 0,
  );
  const to = listControls(at(all, all.indexOf(row) + rows) ?? row);
  return at(to, listControls(row).indexOf(target) + controls);
}

/** The item at an index, or at the nearest end of the list. */
function at<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[Math.min(Math.max(index, 0), items.length - 1)];
}

function listControls(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(CONTROLS)];
}

function stopAt(controls: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const control of controls) {
    control.tabIndex = control === stop ? 0 : -1;
  }
}
