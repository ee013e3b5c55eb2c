"use client";

import { Skeleton } from "@heroui/react";
import dynamic from "next/dynamic";
import { useIsSettled } from "../../client/use-is-settled.ts";
import type { OverviewDay } from "#lib/overview.ts";

const Drawn = dynamic(() => import("./charts.tsx").then(({ FloatLine }) => FloatLine), {
  ssr: false,
  loading: Place,
});

/** The float at the end of each of the last 30 days. */
export function FloatChart({ days, currency }: { days: readonly OverviewDay[]; currency: string }) {
  return useIsSettled() ? <Drawn currency={currency} days={days} /> : <Place />;
}

function Place() {
  return <Skeleton className="mt-4 h-48 rounded-lg" />;
}
