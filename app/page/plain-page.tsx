import type { ReactNode } from "react";
import { Wordmark } from "../ui/wordmark.tsx";

/** A page with one message and no frame. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
      <Wordmark />
      <div className="border-border bg-surface rounded-xl border">{children}</div>
    </main>
  );
}
