"use client";

import { Button } from "@heroui/react";
import { Empty } from "../ui/empty.tsx";

/** What a page that could not be made shows in its place; the frame around it stays. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <div role="alert">
      <Empty
        action={<Button onPress={reset}>Try again</Button>}
        isPage
        title="This page could not be read"
      >
        The server or its database did not answer. Nothing was changed.
        {error.digest && <> Its log has it under {error.digest}.</>}
      </Empty>
    </div>
  );
}
