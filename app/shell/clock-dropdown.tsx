"use client";

import { CalendarClock, ChevronDown, Clock, Undo2 } from "lucide-react";
import { Separator } from "react-aria-components/Separator";
import { useState } from "react";
import { useClockOffset } from "../client/deadline-clock.tsx";
import { fetched } from "../client/fetched.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useOperation } from "../client/use-operation.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { TriggerButton } from "../ui/trigger-button.tsx";
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
      <Menu
        button={
          <TriggerButton {...CLOCK_BUTTON} isPending={isPending}>
            {isPending ? <span>Advancing…</span> : <ClockLabel />}
            <ChevronDown aria-hidden className="size-3" />
          </TriggerButton>
        }
        isOpenAtFirst
        label="Advance deadlines"
        onAction={act}
        placement="bottom"
      >
        {STEPS.map(({ name }) => (
          <MenuItem icon={Clock} id={name} key={name} name={`By ${name}`} />
        ))}
        <MenuItem icon={CalendarClock} id="moment" name="To a date and time…" />
        {clockOffsetS > 0 && <Separator />}
        {clockOffsetS > 0 && <MenuItem icon={Undo2} id="reset" name="Back to real time" />}
      </Menu>
      {isChoosing && <ClockDialog onClose={() => setChoosing(false)} />}
    </>
  );
}

function sayWhyNot(error: unknown): void {
  const detail = error instanceof ApiProblem ? error.problem.detail : undefined;
  notify(detail ?? "The deadlines may not have moved. Reload the page to see.", "warning");
}
