import type { DeclaredActions } from "#lib/audit/action.ts";
import { toAheadText } from "#lib/base/deadline-clock.ts";
import { say } from "#lib/sentences/say.ts";

export const SANDBOX_ACTIONS: DeclaredActions = {
  "sandbox.clock-advanced": {
    title: "Sandbox clock advanced",
    format: ({ who, before, after }) =>
      say`${who} advanced the sandbox clock by ${toAheadText(Number(after["offset_seconds"]) - Number(before["offset_seconds"]))}`,
  },
  "sandbox.clock-reset": {
    title: "Sandbox clock reset",
    format: ({ who }) => say`${who} set the sandbox clock back to real time`,
  },
};
