import { CardView } from "./card-view.tsx";
import type { FoundCard } from "./find-card.ts";
import { toHeld, toRefundable } from "./open-holds.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";

/** A card with its state, money, and actions, on its page and in the panel beside the list. */
export function CardHead({
  found: { card, expired, float, account, holds, purchases, lastApproval },
  role,
  heading,
}: {
  found: FoundCard;
  role: Role;
  heading: "h1" | "h2";
}) {
  return (
    <div className="@container">
      <CardView
        card={toCardResource(card)}
        disabledReasons={toDisabledReasons(role)}
        expired={expired}
        floatAvailable={float.available}
        heading={heading}
        holds={toHeld(holds)}
        key={card.id}
        lastApproval={lastApproval?.toISOString() ?? null}
        look={{ program: account.programName ?? account.businessName, color: account.cardColor }}
        simulation={
          purchases && {
            disabledReason: roleDisabledReason(role, "sandbox:write"),
            purchases: toRefundable(purchases),
          }
        }
      />
    </div>
  );
}

/** Why this person may not change the card's state or its money. */
export function toDisabledReasons(role: Role) {
  return {
    state: roleDisabledReason(role, "cards:write"),
    funds: roleDisabledReason(role, "funds:write"),
  };
}
