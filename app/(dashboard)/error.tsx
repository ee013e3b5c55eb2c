"use client";

import { PageProblem } from "../client/page-problem.tsx";
import type { PageFailure } from "../client/page-problem.tsx";

const BACK = { href: "/overview", name: "Go to overview" };

/** Replaces a page that failed; the frame around it stays. */
export default function DashboardError({ error, reset }: PageFailure) {
  return <PageProblem back={BACK} error={error} reset={reset} />;
}
