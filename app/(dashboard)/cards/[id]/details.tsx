import { Link } from "../../../ui/link.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import type { Card } from "#lib/cards/card-resource.ts";

/** The card's holder and properties. */
export function Details({ card, names }: { card: Card; names: ReadonlyMap<string, string> }) {
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
        {card.replaces !== null && (
          <Fact term="Replaces">
            <OtherCard id={card.replaces} names={names} />
          </Fact>
        )}
        {card.replacedBy !== null && (
          <Fact term="Replaced by">
            <OtherCard id={card.replacedBy} names={names} />
          </Fact>
        )}
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

function OtherCard({ id, names }: { id: string; names: ReadonlyMap<string, string> }) {
  return (
    <Link className="underlined-link" href={`/cards/${id}`}>
      {names.get(id) ?? "Another card"}
    </Link>
  );
}
