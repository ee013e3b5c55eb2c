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
        title="Something went wrong"
      >
        We couldn't load this page. Nothing was changed.{" "}
        {error.digest && <> Reference: {error.digest}</>}
      </Empty>
    </div>
  );
}
