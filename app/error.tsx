"use client";

import { PageProblem } from "./client/page-problem.tsx";
import type { PageFailure } from "./client/page-problem.tsx";
import { PlainPage } from "./page/plain-page.tsx";

const BACK = { href: "/", name: "Go to the start page" };

const MEANWHILE = (
  <p className="text-muted px-6 py-12 text-center">
    The server takes longer than usual. This page comes back by itself.
  </p>
);

/** Replaces a page that failed together with its frame. */
export default function PlainError({ error, reset }: PageFailure) {
  return (
    <PlainPage>
      <PageProblem back={BACK} error={error} meanwhile={MEANWHILE} reset={reset} />
    </PlainPage>
  );
}
