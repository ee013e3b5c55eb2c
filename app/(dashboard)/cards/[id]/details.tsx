import { Link } from "../../../ui/link.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import type { Card } from "#lib/cards/card-resource.ts";

/** The card's holder and properties. */
export function Details({ card }: { card: Card }) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact term="Cardholder">
          <Link className="underlined-link" href={`/cardholders/${card.cardholderId}`}>
            {card.cardName}
          </Link>
        </Fact>
        <Fact term="Card ID">
          <CopyId id={card.id} label="card ID" />
        </Fact>
        <Fact term="Number">
          <span className="font-mono text-xs">{`${card.firstSix}******${card.last4}`}</span>
        </Fact>
        <Fact term="Type">{card.singleUse ? "Virtual, single-use" : "Virtual"}</Fact>
        <Fact term="Expires">
          <ExactTime at={card.expiresAt} />
        </Fact>
        <Fact term="Created">
          <ExactTime at={card.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  );
}
