"use client";

import { Label, ProgressBar } from "@heroui/react";

/** How far a job is. */
export function JobProgress({
  text,
  total,
  ended,
}: {
  text: string;
  total: number;
  ended: number;
}) {
  return (
    <ProgressBar aria-label={text} maxValue={Math.max(total, 1)} size="sm" value={ended}>
      <Label>
        <span role="status">{text}</span>
      </Label>
      <ProgressBar.Track>
        <ProgressBar.Fill />
      </ProgressBar.Track>
    </ProgressBar>
  );
}
