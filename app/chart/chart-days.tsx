"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { KeyboardEvent, MouseEvent, PointerEvent as ReactPointerEvent } from "react";

/** The texts of a chart for one day. */
export interface ChartDay {
  name: string;
  /** Where a click leads. Touch and keys only read values, because a table has the same links. */
  href?: string | undefined;
  figures: readonly { name: string; amount: string; swatch?: string }[];
}

/**
 * Shows a chart's days one at a time: under the pointer, under a finger, or with the arrow keys, Home, and End.
 * Covers the plot, and is announced as a slider.
 */
export function ChartDays({ label, days }: { label: string; days: readonly ChartDay[] }) {
  const router = useRouter();
  const [shown, setShown] = useState<number | null>(null);
  const last = days.length - 1;
  const point = ({ currentTarget, clientX }: ReactPointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setShown(toWithin(Math.floor(((clientX - left) / width) * days.length), last));
  };
  const open = ({ nativeEvent: event }: MouseEvent) => {
    const href = shown === null ? undefined : days[shown]?.href;
    if (href !== undefined && event instanceof PointerEvent && event.pointerType === "mouse") {
      router.push(href);
    }
  };
  const press = (event: KeyboardEvent) => {
    const next = toNext(event.key, shown ?? last, last);
    if (next !== undefined) {
      event.preventDefault();
      setShown(next);
    }
  };
  return (
    <div
      aria-label={label}
      aria-orientation="horizontal"
      aria-readonly
      aria-valuemax={days.length}
      aria-valuemin={1}
      aria-valuenow={(shown ?? last) + 1}
      aria-valuetext={toText(days[shown ?? last])}
      className="focus-visible:outline-focus data-linked:cursor-pointer absolute inset-0 touch-pan-y rounded-xs outline-offset-4 focus-visible:outline-2"
      onBlur={() => setShown(null)}
      onClick={open}
      data-linked={days.some(({ href }) => href !== undefined) || undefined}
      onFocus={(event) => event.target.matches(":focus-visible") && setShown(last)}
      onKeyDown={press}
      onPointerDown={point}
      onPointerLeave={() => setShown(null)}
      onPointerMove={point}
      role="slider"
      tabIndex={0}
    >
      {shown !== null && <Shown count={days.length} day={days[shown]} index={shown} />}
    </div>
  );
}

/** A day's column with its figures above, which stay within the chart at both ends. */
function Shown({ day, index, count }: { day: ChartDay | undefined; index: number; count: number }) {
  const middle = (index + 0.5) / count;
  const share = `${middle * 100}%`;
  return (
    <div aria-hidden className="pointer-events-none">
      <div
        className="bg-foreground/8 absolute inset-y-0"
        style={{ left: `${(index / count) * 100}%`, width: `${100 / count}%` }}
      />
      <div
        className="border-border bg-overlay text-foreground absolute bottom-full z-10 mb-1.5 rounded-md border px-2.5 py-1.5 text-xs whitespace-nowrap shadow-md"
        style={{ left: share, transform: `translateX(-${share})` }}
      >
        <p className="text-muted">{day?.name}</p>
        {day?.figures.map(({ name, amount, swatch }) => (
          <p className="flex items-center gap-1.5" key={name}>
            {swatch && <span className={`size-2 rounded-xs forced-color-adjust-none ${swatch}`} />}
            <span>{name}</span>
            <span className="ml-auto pl-3 font-medium tabular-nums">{amount}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

function toNext(key: string, shown: number, last: number): number | null | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return toWithin(shown - 1, last);
    case "ArrowRight":
    case "ArrowUp":
      return toWithin(shown + 1, last);
    case "Home":
      return 0;
    case "End":
      return last;
    case "Escape":
      return null;
    default:
      return undefined;
  }
}

function toWithin(index: number, last: number): number {
  return Math.min(Math.max(index, 0), last);
}

function toText(day: ChartDay | undefined): string {
  const figures = day?.figures.map(({ name, amount }) => `${name} ${amount}`) ?? [];
  return `${day?.name ?? ""}: ${figures.join(", ")}`;
}
