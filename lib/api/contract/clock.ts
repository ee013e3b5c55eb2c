import { z } from "zod";
import { time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";

export const clockSchema = z
  .strictObject({
    now: time.describe("The time by which the deadlines of this account are set and compared."),
    offset_seconds: logSafe(z.int()).describe(
      "How far the clock is ahead of real time, at whose pace it runs; 0 for real time.",
    ),
    advancing_to: time
      .nullable()
      .describe("The time to which the clock is being moved at present; null when it is not."),
  })
  .meta({ id: "SandboxClock" });
