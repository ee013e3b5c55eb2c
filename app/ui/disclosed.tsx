"use client";

import { Disclosure } from "@heroui/react";
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
    <Disclosure defaultExpanded={isOpen}>
      <Disclosure.Heading>
        <Disclosure.Trigger className="flex w-full items-center gap-3 px-4 py-2.5 text-left">
          {summary}
          <Disclosure.Indicator className="text-muted ml-auto shrink-0" />
        </Disclosure.Trigger>
      </Disclosure.Heading>
      <Disclosure.Content>
        <Disclosure.Body className="flex flex-col gap-4 px-4 pt-1 pb-4">{children}</Disclosure.Body>
      </Disclosure.Content>
    </Disclosure>
  );
}
