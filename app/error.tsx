"use client";

import { PageProblem } from "./client/page-problem.tsx";
import type { PageFailure } from "./client/page-problem.tsx";
import { PlainPage } from "./page/plain-page.tsx";

const BACK = { href: "/", name: "Go to the start page" };

/** Replaces a page that failed together with its frame. */
export default function PlainError({ error, reset }: PageFailure) {
  return (
    <PlainPage>
      <PageProblem back={BACK} error={error} reset={reset} />
    </PlainPage>
  );
}
