import { Panel } from "../../../ui/panel.tsx";
import { ControlsSummary } from "../../../spending/controls-summary.tsx";
import { EditSpendingControls } from "./edit-spending-controls.tsx";
import type { FoundCard } from "./find-card.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import { cardCan } from "#lib/cards/card-state.ts";
import { toOwnControls } from "#lib/cards/spending-controls.ts";

/** What a card may buy, and what is left of each limit. */
export function SpendingControls({
  found: { card, account },
  role,
}: {
  found: Pick<FoundCard, "card" | "account">;
  role: Role;
}) {
  const { spendingControlsSource: source } = card;
  return (
    <Panel
      action={
        <EditSpendingControls
          card={{ id: card.id, currency: card.currency }}
          disabledReason={
            roleDisabledReason(role, "cards:limits") ?? cardCan.limit(card)?.detail ?? null
          }
          ofAccount={account.spendingControls}
          own={toOwnControls(card)}
        />
      }
      title="Spending controls"
    >
      <div className="flex flex-col gap-4">
        {source === "account" && (
          <p className="hint">The account&apos;s default, because the card has none of its own.</p>
        )}
        <ControlsSummary
          controls={toCardResource(card).spending_controls}
          currency={card.currency}
        />
      </div>
    </Panel>
  );
}
