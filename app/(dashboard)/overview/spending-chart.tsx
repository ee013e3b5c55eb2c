"use client";

import { Skeleton } from "@heroui/react";
import dynamic from "next/dynamic";
import { useIsSettled } from "../../client/use-is-settled.ts";
import type { OverviewDay } from "#lib/overview.ts";

const Drawn = dynamic(() => import("./charts.tsx").then(({ SpendingBars }) => SpendingBars), {
  ssr: false,
  loading: Place,
});

/** What was bought with the cards and what was given back, by day. */
export function SpendingChart({
  days,
  currency,
}: {
  days: readonly OverviewDay[];
  currency: string;
}) {
  return useIsSettled() ? <Drawn currency={currency} days={days} /> : <Place />;
}

function Place() {
  return <Skeleton className="h-48 rounded-lg" />;
}
