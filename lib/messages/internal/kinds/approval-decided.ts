import { message } from "#lib/messages/internal/message.ts";

export const approvalDecided = message<{
  by: string;
  words: string;
  isApproved: boolean;
  path: string;
}>({
  kind: "approval.decided",
  name: "Your request was decided",
  to: ["person"],
  topic: "approvals",
  write: ({ by, words, isApproved, path }) => ({
    subject: `${by} ${isApproved ? "approved" : "rejected"} your request`,
    lines: [
      `${by} ${isApproved ? "approved" : "rejected"} your request to ${words}. ${isApproved ? "It has taken effect." : "It never takes effect."}`,
    ],
    action: { label: "Look at the request", path },
  }),
});
