import { CircleCheck, CircleSlash, CircleX, Clock, TimerOff } from "lucide-react";
import { StateLabel } from "../../ui/state-label.tsx";
import type { ApprovalStatus } from "#lib/approvals/approvals.ts";

const LOOKS = {
  waiting: { icon: Clock, word: "Waiting", look: "text-pending" },
  approved: { icon: CircleCheck, word: "Approved", look: "text-active" },
  rejected: { icon: CircleX, word: "Rejected", look: "text-declined" },
  canceled: { icon: CircleSlash, word: "Canceled", look: "text-muted" },
  expired: { icon: TimerOff, word: "Expired", look: "text-muted" },
} as const satisfies Record<ApprovalStatus, object>;

/** The outcome of a request as an icon, a word, and a color. */
export function ApprovalState({ status }: { status: ApprovalStatus }) {
  const { icon: Icon, ...shown } = LOOKS[status];
  return <StateLabel icon={<Icon aria-hidden className="size-3.5" />} {...shown} />;
}
