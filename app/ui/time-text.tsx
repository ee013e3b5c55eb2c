"use client";

import { useEffect, useState } from "react";
import { toAge } from "./time-format.ts";

const PERIOD_MS = 30_000;

/** Begins with the server's words, so that nothing jumps, and keeps them true. */
export function TimeText({ at, exact, initial }: { at: string; exact: string; initial: string }) {
  const [text, setText] = useState(initial);
  useEffect(() => {
    const update = () => setText(toAge(new Date(at)));
    const timer = setInterval(update, PERIOD_MS);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <time className="whitespace-nowrap" dateTime={at} suppressHydrationWarning title={exact}>
      {text}
    </time>
  );
}
