"use client";

import { ChevronDown } from "lucide-react";
import { Button } from "react-aria-components/Button";
import { Disclosure, DisclosurePanel } from "react-aria-components/Disclosure";
import { Heading } from "react-aria-components/Heading";
import type { ReactNode } from "react";
import type { Elements } from "./elements.ts";

/** One line that expands to its details. */
export function Disclosed({
  summary,
  children,
  isOpen = false,
}: {
  summary: Elements;
  children: ReactNode;
  isOpen?: boolean;
}) {
  return (
    <Disclosure className="group" defaultExpanded={isOpen}>
      <Heading>
        <Button
          className="flex w-full cursor-pointer items-center gap-3 px-4 py-2.5 text-left -outline-offset-2"
          slot="trigger"
        >
          {summary}
          <ChevronDown
            aria-hidden
            className="text-muted ml-auto size-4 shrink-0 transition-transform group-data-expanded:rotate-180"
          />
        </Button>
      </Heading>
      <DisclosurePanel className="h-(--disclosure-panel-height) overflow-clip transition-[height] duration-150">
        <div className="flex flex-col gap-4 px-4 pt-1 pb-4">{children}</div>
      </DisclosurePanel>
    </Disclosure>
  );
}
