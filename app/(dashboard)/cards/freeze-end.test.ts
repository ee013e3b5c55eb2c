import { describe, expect, test } from "vitest";
import { toFreezeEnd } from "./freeze-end.ts";

const NEW_YORK = "America/New_York";

describe("the end of a freeze", () => {
  test.each([
    // A Thursday, a Monday before nine, and a Monday at nine.
    ["2026-11-26T10:00:00-05:00", "2026-11-30T09:00:00-05:00"],
    ["2026-11-30T08:59:00-05:00", "2026-11-30T09:00:00-05:00"],
    ["2026-11-30T09:00:00-05:00", "2026-12-07T09:00:00-05:00"],
    // Late on a Sunday there, when it is Monday in UTC; clocks have been set back on that Sunday.
    ["2026-11-01T23:00:00-05:00", "2026-11-02T09:00:00-05:00"],
  ])("at %s, Monday at nine is %s", (now, end) => {
    const clock = { now: new Date(now), timeZone: NEW_YORK };
    expect(toFreezeEnd("monday", "", clock)).toBe(new Date(end).toISOString());
  });

  test("is an hour or a day away, none, that of before, or a time on the account's clocks", () => {
    const clock = { now: new Date("2026-11-26T10:00:00Z"), timeZone: NEW_YORK };
    const ends = (["kept", "none", "hour", "day", "date"] as const).map((end) =>
      toFreezeEnd(end, "2026-12-24T18:30", clock),
    );
    expect(ends).toEqual([
      undefined,
      null,
      "2026-11-26T11:00:00.000Z",
      "2026-11-27T10:00:00.000Z",
      "2026-12-24T23:30:00.000Z",
    ]);
    expect(toFreezeEnd("date", "", clock)).toBe("");
  });
});
