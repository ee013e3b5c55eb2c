import type { Metadata } from "next";
import { Breadcrumb } from "../../../client/breadcrumb.tsx";
import { Live } from "../../../client/live.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { toId } from "../../../ui/search-params.ts";
import type { Param } from "../../../ui/search-params.ts";
import { Time } from "../../../ui/time.tsx";
import { JobState } from "./job-state.tsx";
import { toJobTitle, toProgressText } from "./job-words.ts";
import { readAs } from "#lib/auth/page-session.ts";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import { listBulkJobs } from "#lib/bulk/bulk-jobs.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Bulk jobs" };

const ROWS = 50;
const PATH = "/cards/bulk";

const COLUMNS: readonly Column<BulkJob>[] = [
  {
    id: "job",
    name: "Job",
    narrow: "below",
    cell: (job) => <RowName about={toProgressText(job)} name={toJobTitle(job)} />,
  },
  { id: "state", name: "State", narrow: "below", cell: (job) => <JobState job={job} /> },
  {
    id: "by",
    name: "By",
    narrow: "hidden",
    isCut: true,
    cell: ({ actor }) => <bdi className="text-muted">{actor.name}</bdi>,
  },
  {
    id: "created",
    name: "Started",
    align: "end",
    narrow: "beside",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

export default personalPage(BulkJobsPage);

async function BulkJobsPage(
  session: StaffSession,
  { searchParams }: { searchParams: Promise<{ cursor?: Param }> },
) {
  const cursor = toId((await searchParams).cursor);
  const page = await readAs(session, (ctx) => listBulkJobs(ctx, { limit: ROWS, cursor }));
  return (
    <>
      <Live />
      <Breadcrumb list="/cards" name="Cards">
        Bulk jobs
      </Breadcrumb>
      <PageHeader
        action={<LinkButton href="/cards/credit">Credit many</LinkButton>}
        description="What was done to many cards at once in the last 30 days."
        title="Bulk jobs"
      />
      <section
        aria-label="Bulk jobs"
        className="border-border bg-surface min-w-0 overflow-clip rounded-lg border"
      >
        <DataTable
          columns={COLUMNS}
          empty={
            <Empty
              action={<LinkButton href="/cards">Show cards</LinkButton>}
              title="No bulk jobs yet"
            >
              Select cards in the list to freeze or unfreeze many at once, or credit many from a
              file.
            </Empty>
          }
          hrefOf={({ id }) => `${PATH}/${id}`}
          idOf={({ id }) => id}
          items={page.rows}
          label="Bulk jobs"
        />
        <Pager
          cursor={cursor}
          hrefOf={(each) => toHref(PATH, { cursor: each })}
          nextCursor={page.nextCursor}
        />
      </section>
    </>
  );
}
