import type { FoundApproval } from "./find-approval.ts";
import { toApprovalRuleText } from "../../../ui/approval-rule-text.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";

/** How the request would change which moves need a second person. */
export function RequestedRule({
  rule: { now, asked },
  currency,
}: {
  rule: NonNullable<FoundApproval["rule"]>;
  currency: string;
}) {
  return (
    <Panel title="Second person">
      <Facts>
        <Fact term="Now">{toApprovalRuleText(now, currency)}</Fact>
        <Fact term="Requested">{toApprovalRuleText(asked, currency)}</Fact>
      </Facts>
    </Panel>
  );
}
