"use client";

import { useClockOffset } from "../../client/deadline-clock.tsx";
import { useForm } from "../../client/use-form.ts";
import { Choice } from "../../ui/choice.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { useTimeZone } from "../../ui/time-zone.tsx";
import { CommentInput } from "./[id]/comment-input.tsx";
import { AMENDED_ENDS, FREEZE_ENDS, toFreezeEnd } from "./freeze-end.ts";
import type { FreezeEnd } from "./freeze-end.ts";
import { FREEZE_REASON_OPTIONS } from "./freeze-reasons.ts";
import { LevelChoice } from "./level-choice.tsx";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";

interface FreezeForm extends Record<string, unknown> {
  reason: FreezeReason | null;
  comment: string;
  level: FreezeLevel;
  end: FreezeEnd;
  /** The date for the end of the freeze, as typed. */
  until: string;
}

/** The form of a freeze, with nothing chosen yet. */
export function useNewFreeze(serverError: unknown) {
  return useForm<FreezeForm>(
    { reason: null, comment: "", level: "staff", end: "kept", until: "" },
    serverError,
  );
}

/** Returns what to send for the chosen terms. */
export function useFreezeTerms() {
  const timeZone = useTimeZone();
  const clockOffsetS = useClockOffset();
  return ({ reason, comment, level, end, until: at }: FreezeForm) => {
    const now = toDeadlineTime({ clockOffsetS }, new Date());
    const until = toFreezeEnd(end, at, { now, timeZone });
    return { reason, comment: comment.trim() || null, level, until };
  };
}

/** The reason, the level, the end, and the comment of a freeze. */
export function FreezeFields({
  form,
  stands = false,
}: {
  form: ReturnType<typeof useForm<FreezeForm>>;
  /** Whether the card has a freeze of the chosen level. */
  stands?: boolean;
}) {
  return (
    <>
      <Choice
        error={form.errors["reason"]}
        label="Reason"
        onChange={(reason) => form.set("reason", reason)}
        options={FREEZE_REASON_OPTIONS}
        placeholder="No reason"
        value={form.values.reason}
      />
      <LevelChoice form={form} />
      <Choice
        error={form.values.end === "date" ? undefined : form.errors["until"]}
        label="Ends"
        onChange={(end) => form.set("end", end)}
        options={stands ? AMENDED_ENDS : FREEZE_ENDS}
        value={stands || form.values.end !== "none" ? form.values.end : "kept"}
      />
      {form.values.end === "date" && (
        <TextInput
          error={form.errors["until"]}
          label="Ends at"
          onChange={(until) => form.set("until", until)}
          type="datetime-local"
          value={form.values.until}
        />
      )}
      <CommentInput form={form} />
    </>
  );
}
