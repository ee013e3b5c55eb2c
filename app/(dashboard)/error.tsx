"use client";

import { usePathname } from "next/navigation";
import { PageProblem } from "../client/page-problem.tsx";
import type { PageFailure } from "../client/page-problem.tsx";
import { PageSkeleton } from "../shell/page-skeleton.tsx";

const BACK = { href: "/overview", name: "Go to overview" };

/** Replaces a page that failed; the frame around it stays. */
export default function DashboardError({ error, reset }: PageFailure) {
  const meanwhile = <PageSkeleton path={usePathname()} />;
  return <PageProblem back={BACK} error={error} meanwhile={meanwhile} reset={reset} />;
}
