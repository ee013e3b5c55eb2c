"use client";

import { Button as TriggerButton, Dropdown, Label, Separator } from "@heroui/react";
import { CalendarClock, ChevronDown, Clock, Undo2 } from "lucide-react";
import { useState } from "react";
import { useClockOffset } from "../client/deadline-clock.tsx";
import { fetched } from "../client/fetched.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useOperation } from "../client/use-operation.ts";
import { CLOCK_BUTTON, ClockLabel } from "./clock-label.tsx";
import { toAdvancedNotice } from "./clock-notice.ts";
import { ApiProblem } from "#lib/api/client.ts";

const ClockDialog = fetched(() =>
  import("./clock-dialog.tsx").then((loaded) => loaded.ClockDialog),
);

const STEPS = [
  { name: "1 hour", seconds: 3_600 },
  { name: "1 day", seconds: 86_400 },
  { name: "1 week", seconds: 604_800 },
] as const;

/** Advances the deadlines by a chosen time, or returns to real time. */
export function ClockDropdown() {
  const clockOffsetS = useClockOffset();
  const [isChoosing, setChoosing] = useState(false);
  const advance = useOperation(OPERATIONS.advanceClock, ({ data }) =>
    notify(toAdvancedNotice(data.offset_seconds)),
  );
  const reset = useOperation(OPERATIONS.resetClock, () =>
    notify("Deadlines follow real time again."),
  );
  const act = (key: string) => {
    const step = STEPS.find(({ name }) => name === key);
    if (step) {
      advance.mutate({ body: { by_seconds: step.seconds } }, { onError: sayWhyNot });
    } else if (key === "reset") {
      reset.mutate({}, { onError: sayWhyNot });
    } else {
      setChoosing(true);
    }
  };
  const isPending = advance.isPending || reset.isPending;
  return (
    <>
      <Dropdown defaultOpen>
        <TriggerButton {...CLOCK_BUTTON} isPending={isPending}>
          {isPending ? <span>Advancing…</span> : <ClockLabel />}
          <ChevronDown aria-hidden className="size-3" />
        </TriggerButton>
        <Dropdown.Popover className="min-w-56" placement="bottom">
          <Dropdown.Menu aria-label="Advance deadlines" onAction={(key) => act(String(key))}>
            {STEPS.map(({ name }) => (
              <Dropdown.Item id={name} key={name} textValue={`By ${name}`}>
                <Clock aria-hidden className="size-4" />
                <Label>{`By ${name}`}</Label>
              </Dropdown.Item>
            ))}
            <Dropdown.Item id="moment" textValue="To a date and time…">
              <CalendarClock aria-hidden className="size-4" />
              <Label>To a date and time…</Label>
            </Dropdown.Item>
            {clockOffsetS > 0 && <Separator />}
            {clockOffsetS > 0 && (
              <Dropdown.Item id="reset" textValue="Back to real time">
                <Undo2 aria-hidden className="size-4" />
                <Label>Back to real time</Label>
              </Dropdown.Item>
            )}
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {isChoosing && <ClockDialog onClose={() => setChoosing(false)} />}
    </>
  );
}

function sayWhyNot(error: unknown): void {
  const detail = error instanceof ApiProblem ? error.problem.detail : undefined;
  notify(detail ?? "The deadlines may not have moved. Reload the page to see.", "warning");
}
