import { LISTED_MAX } from "./find-approval.ts";
import type { FoundApproval } from "./find-approval.ts";
import { toCardTitles } from "../../../ui/card-title.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";

/** The amount that each card of a job receives or gives up, in the order of the request. */
export function RequestedCards({
  job: { operation, items },
  names,
  currency,
}: {
  job: NonNullable<FoundApproval["job"]>;
  names: FoundApproval["names"];
  currency: string;
}) {
  const titles = toCardTitles(names);
  return (
    <Panel title={`Cards to ${operation}`}>
      <Facts>
        {items.slice(0, LISTED_MAX).map(({ card_id: id, amount, position }) => (
          <Fact
            key={position}
            term={
              <Link className="underlined-link" href={`/cards/${id}`}>
                <bdi>{titles.get(id) ?? id}</bdi>
              </Link>
            }
          >
            {typeof amount === "number" ? <Money amount={amount} currency={currency} /> : "All"}
          </Fact>
        ))}
      </Facts>
      {items.length > LISTED_MAX && (
        <p className="text-muted pt-3">
          {`The first ${LISTED_MAX} of ${items.length.toLocaleString("en-US")} cards.`}
        </p>
      )}
    </Panel>
  );
}
