"use client";

import { Skeleton } from "@heroui/react";
import dynamic from "next/dynamic";
import type { FloatDay } from "#lib/overview.ts";

// The charts' library comes after the page: the figures above it do not wait for it.
const Drawn = dynamic(() => import("./charts.tsx").then(({ FloatLine }) => FloatLine), {
  ssr: false,
  loading: () => <Skeleton className="mt-4 h-48 rounded-lg" />,
});

/** The float at the end of each of the last 30 days. */
export function FloatChart({ days, currency }: { days: readonly FloatDay[]; currency: string }) {
  return <Drawn currency={currency} days={days} />;
}
