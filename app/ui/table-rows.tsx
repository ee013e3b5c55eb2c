"use client";

import { useRouter } from "next/navigation";
import { use, useEffect, useRef } from "react";
import type { KeyboardEvent, MouseEvent, PointerEvent, ReactNode } from "react";
import { InspectorContext } from "./inspector-context.ts";

const CONTROLS = "a, button, input";

/** Where an arrow key leads from a control: by how many rows, and by how many controls of the row. */
const STEPS: Readonly<Record<string, readonly [rows: number, controls: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/**
 * The body of a table. Rows with links are one stop of the Tab key; arrow keys, Home, and End move between their
 * controls, as in the grid pattern of the ARIA Authoring Practices Guide. A plain click anywhere on a row opens its
 * record: in the panel beside the list if there is room for one, otherwise by following the link without a full page
 * load.
 */
export function TableRows({ children }: { children: ReactNode }) {
  const router = useRouter();
  const inspector = use(InspectorContext);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (!hasLinks(body.current)) {
      return;
    }
    const controls = listControls(body.current);
    const isOpen = (control: Element) =>
      control.matches("a.row-link") && findId(control) === inspector?.openId;
    for (const control of controls) {
      control.ariaCurrent = isOpen(control) ? "true" : null;
    }
    const stop =
      controls.find((control) => control === document.activeElement) ?? controls.find(isOpen);
    stopAt(controls, stop ?? controls[0]);
  });
  const follow = (event: MouseEvent<HTMLElement>) => {
    const row = findRow(event.target);
    const link = row?.querySelector<HTMLAnchorElement>("a.row-link");
    if (!row || !link || !isPlain(event) || !isOfRow(event.target, link)) {
      return;
    }
    event.preventDefault();
    if (inspector?.show(findId(row)) === true) {
      // A click outside the link's own words does not focus the link.
      stopAt(listControls(body.current), link);
      link.focus({ preventScroll: true });
    } else {
      router.push(link.getAttribute("href") ?? "");
    }
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = hasLinks(body.current) ? STEPS[event.key] : undefined;
    const next = step && findNext(event.target, step);
    if (next) {
      event.preventDefault();
      stopAt(listControls(body.current), next);
      next.focus();
      inspector?.follow(findId(next));
    }
  };
  return (
    // The controls inside get the focus; their events bubble up to the body.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <tbody onClick={follow} onKeyDown={move} onPointerOver={showWhole} ref={body}>
      {children}
    </tbody>
  );
}

/** On hover, shows cut-off text of a row in full, as the title of the link that covers it. */
function showWhole({ target }: PointerEvent): void {
  const row = findRow(target);
  const texts = [...(row?.querySelectorAll(".truncate, .cut") ?? [])];
  const cut = texts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  const shown = row?.querySelector<HTMLElement>("a.row-link") ?? row;
  if (shown) {
    shown.title = [...new Set(cut.map(({ textContent }) => textContent))].join("\n");
  }
}

function isPlain({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(metaKey || ctrlKey || shiftKey || altKey);
}

/** Whether a click is on the row itself, not on another control in it. */
function isOfRow(target: EventTarget, link: HTMLAnchorElement): boolean {
  const control = target instanceof Element ? target.closest("a, button, input, label") : null;
  return control === null || control === link;
}

function findRow(target: EventTarget): HTMLTableRowElement | null {
  return target instanceof Element ? target.closest("tr") : null;
}

function findId(target: Element): string {
  return findRow(target)?.dataset["id"] ?? "";
}

/** Finds the next row, skipping rows without a control. A row with fewer controls is entered at its last one. */
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

/**
 * Whether rows have links. Without links, each control is a stop of its own, because the arrow keys open the menus
 * among them.
 */
function hasLinks(body: Element | null): boolean {
  return body !== null && body.querySelector("a") !== null;
}

function listControls(part: Element | null): HTMLElement[] {
  return [...(part?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
}

function stopAt(controls: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const control of controls) {
    control.tabIndex = control === stop ? 0 : -1;
  }
}
