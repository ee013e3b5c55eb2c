import { ChevronLeft, ChevronRight } from "lucide-react";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { toHref } from "../ui/pager.tsx";
import { SegmentedLinks } from "../ui/segmented-links.tsx";
import { ChooseDates } from "./choose-dates.tsx";
import { PeriodSelect } from "./period-select.tsx";
import { listPeriods, listUnits, UNIT_NAMES } from "./period-title.ts";
import type { Days } from "#lib/base/calendar-period.ts";
import { toLocalDay } from "#lib/base/time-zone.ts";
import { toNeighbor } from "#lib/statements/period.ts";
import type { StatementPeriod } from "#lib/statements/period.ts";

/** Links from a page about one period to pages about other periods. */
export function PeriodBar({
  period,
  timeZone,
  hasEarlier,
  days,
  path,
  now,
}: {
  period: StatementPeriod;
  timeZone: string;
  /** Whether anything posted before the period. */
  hasEarlier: boolean;
  days: Days;
  path: string;
  now: Date;
}) {
  const today = toLocalDay(now, timeZone);
  const { unit, name } = period;
  // The part of a longer period that is most likely wanted: its end, or today.
  const units = listUnits(days.first <= today && today <= days.last ? today : days.last);
  return (
    <nav aria-label="Period" className="flex flex-wrap items-center gap-2 print:hidden">
      <SegmentedLinks
        label="Length"
        links={units.map((each) => ({
          name: UNIT_NAMES[each.unit],
          href: toHref(path, { [each.unit]: each.name }),
          isCurrent: each.unit === unit,
        }))}
      />
      <div className="flex items-center gap-1">
        <Step
          disabledReason={hasEarlier ? null : "Nothing was posted before this period."}
          path={path}
          period={period}
          step={-1}
        />
        {unit && (
          <PeriodSelect options={listPeriods(unit, today)} path={path} unit={unit} value={name} />
        )}
        <Step
          disabledReason={days.last >= today ? "The next period has not begun." : null}
          path={path}
          period={period}
          step={1}
        />
      </div>
      <ChooseDates days={days} path={path} />
    </nav>
  );
}

function Step({
  period,
  path,
  step,
  disabledReason,
}: {
  period: StatementPeriod;
  path: string;
  step: 1 | -1;
  disabledReason: string | null;
}) {
  const name = step === 1 ? "Next" : "Previous";
  const label = `${name} ${period.unit ?? "period"}`;
  const content = (
    <>
      {step === -1 && <ChevronLeft aria-hidden />}
      <span className="max-sm:hidden">{name}</span>
      {step === 1 && <ChevronRight aria-hidden />}
    </>
  );
  if (disabledReason !== null) {
    return (
      <GuardedButton
        aria-label={label}
        disabledReason={disabledReason}
        size="sm"
        variant="secondary"
      >
        {content}
      </GuardedButton>
    );
  }
  const { at: _at, ...query } = toNeighbor(period, step);
  return (
    <LinkButton href={toHref(path, query)} label={label} size="sm" variant="secondary">
      {content}
    </LinkButton>
  );
}
