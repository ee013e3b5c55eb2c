import type { Metadata } from "next";
import { Breadcrumb } from "../../../../client/breadcrumb.tsx";
import { Live } from "../../../../client/live.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { PageHeader } from "../../../../ui/page-header.tsx";
import { RecordColumns } from "../../../../ui/record-columns.tsx";
import { toPosition, toText } from "../../../../ui/search-params.ts";
import type { Param } from "../../../../ui/search-params.ts";
import { toJobTitle, toProgressText } from "../job-words.ts";
import { findJob } from "./find-job.ts";
import { JobActions } from "./job-actions.tsx";
import type { ShownJob } from "./job-actions.tsx";
import { JobControls } from "./job-controls.tsx";
import { JobDetails } from "./job-details.tsx";
import { JobProgress } from "./job-progress.tsx";
import { JobResults } from "./job-results.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { countWaiting, parseItemState } from "#lib/bulk/bulk-counts.ts";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import { BULK_SCOPES } from "#lib/bulk/bulk-rights.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** While a job runs, its counts change with every batch. */
const RUNNING_MS = 2_000;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Readonly<Partial<Record<"state" | "cursor", Param>>>>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const found = await findJob((await params).id, ...toPlace(await searchParams));
  return found ? { title: `${toJobTitle(found.job)} · Bulk jobs` } : MISSING;
}

export default personalPage(BulkJobPage);

async function BulkJobPage(session: StaffSession, { params, searchParams }: Props) {
  const [state, cursor] = toPlace(await searchParams);
  const found = await findJob((await params).id, state, cursor);
  if (!found) {
    return <Missing back={{ href: "/cards/bulk", name: "All bulk jobs" }} noun="bulk job" />;
  }
  const { job } = found;
  const title = toJobTitle(job);
  return (
    <>
      {job.state === "running" ? <Live everyMs={RUNNING_MS} /> : null}
      <Breadcrumb list="/cards/bulk" name="Bulk jobs">
        {title}
      </Breadcrumb>
      <PageHeader
        action={
          <JobActions
            disabledReason={roleDisabledReason(
              session.actor.staff.role,
              BULK_SCOPES[job.operation],
            )}
            job={toShown(job)}
          />
        }
        title={title}
      />
      <JobProgress
        ended={job.total - countWaiting(job)}
        text={toProgressText(job)}
        total={job.total}
      />
      <RecordColumns
        main={
          <JobResults currency={session.currency} found={found} cursor={cursor} state={state} />
        }
        side={
          <>
            <JobDetails currency={session.currency} job={job} />
            <JobControls currency={session.currency} job={job} />
          </>
        }
      />
    </>
  );
}

/** The parts of a job that the actions need and that the browser may have. */
function toShown({ id, operation, isCheck, state, done, undoes }: BulkJob): ShownJob {
  return { id, operation, state, hasChanged: !isCheck && done > 0, isUndo: undoes !== null };
}

function toPlace({ state, cursor }: Awaited<Props["searchParams"]>) {
  return [parseItemState(toText(state)), toPosition(cursor)] as const;
}
