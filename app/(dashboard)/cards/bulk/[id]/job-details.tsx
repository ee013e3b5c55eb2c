import { Fact, Facts } from "../../../../ui/facts.tsx";
import { CopyId } from "../../../../ui/copy-id.tsx";
import { Link } from "../../../../ui/link.tsx";
import { Money } from "../../../../ui/money.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { ExactTime } from "../../../../ui/time.tsx";
import { JobState } from "../job-state.tsx";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import { FREEZE_LEVEL_NAMES, FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";

/** Who requested a job, when, and what it does. */
export function JobDetails({ job, currency }: { job: BulkJob; currency: string }) {
  const { undoes, terms, amount, actor, createdAt, endedAt } = job;
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="State">
          <JobState job={job} />
        </Fact>
        {undoes && (
          <Fact term="Undoes">
            <Link className="underlined-link" href={`/cards/bulk/${undoes}`}>
              This job
            </Link>
          </Fact>
        )}
        {terms.reason && <Fact term="Reason">{FREEZE_REASON_NAMES[terms.reason]}</Fact>}
        {terms.level && <Fact term="Level">{FREEZE_LEVEL_NAMES[terms.level]}</Fact>}
        {terms.until && (
          <Fact term="Freezes end">
            <ExactTime at={new Date(terms.until)} />
          </Fact>
        )}
        {amount > 0 && (
          <Fact term={job.isCheck ? "Would move" : "Moved"}>
            <Money amount={amount} currency={currency} />
          </Fact>
        )}
        <Fact term="By">
          <bdi>{actor.name}</bdi>
        </Fact>
        <Fact term="Started">
          <ExactTime at={createdAt} />
        </Fact>
        {endedAt && (
          <Fact term="Ended">
            <ExactTime at={endedAt} />
          </Fact>
        )}
        <Fact term="Job ID">
          <CopyId id={job.id} label="job ID" />
        </Fact>
      </Facts>
    </Panel>
  );
}
