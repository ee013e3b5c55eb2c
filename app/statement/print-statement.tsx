"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { PrintButton } from "../ui/print-button.tsx";

/** Prints a statement with all its lines. If the page does not have all of them, loads them first. */
export function PrintStatement({
  allHref,
  isLoaded,
}: {
  /** The page with all lines; null if this one has them. */
  allHref: string | null;
  /** Whether the page was loaded to be printed. */
  isLoaded: boolean;
}) {
  const router = useRouter();
  useEffect(() => {
    if (isLoaded) {
      window.print();
    }
  }, [isLoaded]);
  const print = () => (allHref === null || isLoaded ? window.print() : router.push(allHref));
  return <PrintButton onPress={print} />;
}
