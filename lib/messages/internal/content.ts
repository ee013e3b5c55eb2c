import { z } from "zod";
import { seal, unseal } from "#lib/base/seal.ts";
import type { Written } from "#lib/messages/internal/message.ts";

const writtenSchema = z.object({
  subject: z.string(),
  lines: z.array(z.string()),
  action: z.object({ label: z.string(), path: z.string() }),
}) satisfies z.ZodType<Written>;

/** Encrypts a message's text, because it may have a link with which anybody could sign in. */
export function sealContent(written: Written, messageId: string): string {
  return seal(JSON.stringify(written), "message", messageId);
}

/** @throws Error when no secret opens it. */
export function openContent(content: string, messageId: string): Written {
  return writtenSchema.parse(JSON.parse(unseal(content, "message", messageId)));
}
