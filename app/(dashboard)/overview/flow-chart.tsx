"use client";

import { Skeleton } from "@heroui/react";
import dynamic from "next/dynamic";
import { useIsSettled } from "../../client/use-is-settled.ts";
import type { OverviewDay } from "#lib/overview.ts";

const Drawn = dynamic(() => import("./charts.tsx").then(({ FlowBars }) => FlowBars), {
  ssr: false,
  loading: Place,
});

/** What came into the float and what left it, by day. */
export function FlowChart({ days, currency }: { days: readonly OverviewDay[]; currency: string }) {
  return useIsSettled() ? <Drawn currency={currency} days={days} /> : <Place />;
}

function Place() {
  return <Skeleton className="h-48 rounded-lg" />;
}
