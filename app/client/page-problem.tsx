"use client";

import { useRouter } from "next/navigation";
import { startTransition, useEffect } from "react";
import { Button } from "../ui/button.tsx";
import { restoreTheme } from "../ui/theme.ts";
import { Empty } from "../ui/empty.tsx";
import { LinkButton } from "../ui/link-button.tsx";

/** What Next.js passes to the replacement of a failed page. */
export interface PageFailure {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Says that a page could not be loaded, and offers to try again or to leave. */
export function PageProblem({
  error,
  reset,
  back,
}: PageFailure & { back: { href: string; name: string } }) {
  const router = useRouter();
  useEffect(restoreTheme, []);
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <div role="alert">
      {/* The title was part of the failed page. */}
      <title>Something went wrong · Floatdeck</title>
      <Empty
        action={
          <>
            <Button onPress={retry}>Try again</Button>
            <LinkButton href={back.href}>{back.name}</LinkButton>
          </>
        }
        isPage
        title="We couldn't load this page."
      >
        <span>Something went wrong on our side. Nothing was changed.</span>
        {error.digest && (
          <span className="mt-1 block text-xs">{`Reference for support: ${error.digest}`}</span>
        )}
      </Empty>
    </div>
  );
}
