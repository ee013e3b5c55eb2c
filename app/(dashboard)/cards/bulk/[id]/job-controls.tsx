import { Panel } from "../../../../ui/panel.tsx";
import { ControlsSummary } from "../../../../spending/controls-summary.tsx";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";

/** The spending controls that a job sets. */
export function JobControls({
  job: { operation, undoes, terms },
  currency,
}: {
  job: Pick<BulkJob, "operation" | "undoes" | "terms">;
  currency: string;
}) {
  if (operation !== "set_spending_controls" || undoes !== null) {
    return null;
  }
  const { spending_controls: controls } = terms;
  return (
    <Panel title="Spending controls">
      {controls ? (
        <ControlsSummary controls={controls} currency={currency} />
      ) : (
        <p className="text-muted">The account&apos;s default.</p>
      )}
    </Panel>
  );
}
