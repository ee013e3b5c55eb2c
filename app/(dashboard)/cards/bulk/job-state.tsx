import { CircleCheck, CircleSlash, Loader, TriangleAlert } from "lucide-react";
import { StateLabel } from "../../../ui/state-label.tsx";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";

const LOOKS = {
  running: { icon: Loader, word: "Running", look: "text-pending" },
  completed: { icon: CircleCheck, word: "Completed", look: "text-active" },
  canceled: { icon: CircleSlash, word: "Canceled", look: "text-muted" },
} as const;

const REFUSED = { icon: TriangleAlert, look: "text-declined" };

/** A job's state as an icon, a word, and a color. */
export function JobState({ job: { state, refused, total, isCheck } }: { job: BulkJob }) {
  // A check that finds problems has done its job.
  const isFailed = state === "completed" && refused > 0 && !isCheck;
  const { icon: Icon, ...shown } = isFailed
    ? { ...REFUSED, word: `Completed, ${refused === total ? "all" : "some"} refused` }
    : LOOKS[state];
  return <StateLabel icon={<Icon aria-hidden className="size-3.5" />} {...shown} />;
}
