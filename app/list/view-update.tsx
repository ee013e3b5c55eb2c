"use client";

import { useEffect, useRef } from "react";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useOperation } from "../client/use-operation.ts";

/** Saves a query in a view as soon as it is rendered, and shows only the result. */
export function ViewUpdate({
  id,
  query,
  onEnd,
}: {
  /** The id of the view. */
  id: string;
  query: string;
  onEnd: () => void;
}) {
  const { mutate } = useOperation(OPERATIONS.updateView, () => notify("View saved"));
  const save = useRef(() => {
    mutate(
      { id, body: { query } },
      {
        onError: () => notify("Couldn't save the view. Try again.", "warning"),
        onSettled: onEnd,
      },
    );
  });
  useEffect(() => save.current(), []);
  return null;
}
