import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { Elements } from "../ui/elements.ts";
import { Time } from "../ui/time.tsx";
import type { Sentence } from "#lib/sentences/say.ts";
import { toPlainText } from "#lib/sentences/say.ts";
import { SentenceText } from "./sentence-text.tsx";

/**
 * One line of a history: what happened, and when. It expands to its details without any script. On a phone, the
 * sentence takes the lines it needs, with the time below it.
 */
export function SentenceRow({
  sentence,
  at,
  mark,
  aside,
  children,
}: {
  sentence: Sentence;
  at: Date;
  mark?: Elements;
  /** Beside the time, if there is room. */
  aside?: ReactNode;
  /** The details. */
  children: ReactNode;
}) {
  return (
    <li className="relative">
      <div className="flex min-h-10 items-center gap-2 py-2 ps-4 pe-12 max-md:flex-wrap md:h-10 md:py-0">
        {mark}
        <span
          className="min-w-0 flex-1 max-md:basis-full max-md:break-words md:truncate"
          title={toPlainText(sentence)}
        >
          <SentenceText sentence={sentence} />
        </span>
        {aside && <span className="text-muted shrink-0 max-lg:hidden">{aside}</span>}
        <span className="text-muted shrink-0 text-xs">
          <Time at={at} />
        </span>
      </div>
      <details className="group">
        <summary
          aria-label="Details"
          className="text-muted hover:bg-default hover:text-foreground focus-visible:outline-focus absolute end-2 top-1 flex size-8 cursor-pointer list-none items-center justify-center rounded-md [&::-webkit-details-marker]:hidden"
        >
          <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
        </summary>
        <div className="flex flex-col gap-2 px-4 pb-3">{children}</div>
      </details>
    </li>
  );
}
