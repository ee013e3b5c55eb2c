import { message } from "#lib/messages/internal/message.ts";

export const jobRefused = message<{
  operation: string;
  total: number;
  refused: number;
  path: string;
}>({
  kind: "job.refused",
  name: "Bulk job with refusals",
  to: ["person"],
  topic: "jobs",
  write: ({ operation, total, refused, path }) => ({
    subject: `${refused} of ${total} cards were refused`,
    lines: [
      `Your job (${operation}) has ended. ${refused} of its ${total} cards were refused; its page says why.`,
    ],
    action: { label: "Look at the job", path },
  }),
});
