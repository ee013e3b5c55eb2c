import { Link } from "../../../ui/link.tsx";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ExactTime } from "../../../ui/time.tsx";
import { formatMoney } from "#lib/base/money.ts";
import { toPrintable } from "#lib/base/printable.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";
import { toCategory } from "#lib/transactions/merchant-category.ts";
import { POSTED_AS_NAMES, TRANSACTION_TYPE_NAMES } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** The card, place, and time of a transaction, and all ids that identify it. */
export function Details({ transaction, card }: { transaction: Transaction; card: Card }) {
  const { type, declineReason, actor, createdAt, settledAt, asReceived } = transaction;
  const { postedAs, refundOf, refundExceeds, takenBack, occurredAt, authorizedAs, merchant } =
    transaction;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Panel title="Details">
        <Facts>
          <Fact term="Card">
            <Link
              className="underlined-link"
              href={`/cards/${card.id}`}
            >{`${card.cardName} · ${card.last4}`}</Link>
          </Fact>
          <Fact term="Type">{TRANSACTION_TYPE_NAMES[type]}</Fact>
          {declineReason !== null && (
            <Fact term="Decline reason">{toDeclineReasonName(declineReason)}</Fact>
          )}
          {postedAs !== null && <Fact term="Posted">{POSTED_AS_NAMES[postedAs]}</Fact>}
          {refundExceeds === true && (
            <Fact term="Refund">
              {refundOf === null ? "Without a purchase" : "Exceeds its purchase"}
            </Fact>
          )}
          {takenBack > 0 && <Fact term="Taken back">By the card network</Fact>}
          <Fact term="Created by">{actor.name}</Fact>
          <Fact term="Created">
            <ExactTime at={createdAt} />
          </Fact>
          {settledAt !== null && (
            <Fact term="Settled">
              <ExactTime at={settledAt} />
            </Fact>
          )}
          {occurredAt !== null && (
            <Fact term="By the network’s clock">
              <ExactTime at={occurredAt} />
            </Fact>
          )}
          <MerchantFact merchant={merchant} />
          {[...toMerchantFacts(transaction), ...toChargedFacts(transaction)].map(
            ([term, value]) => (
              <Fact key={term} term={term}>
                <bdi>{value}</bdi>
              </Fact>
            ),
          )}
        </Facts>
      </Panel>
      {authorizedAs !== null && <AuthorizedAs said={authorizedAs} />}
      {asReceived !== null && <AsReceived received={asReceived} />}
      <Panel title="IDs">
        <Facts>
          {toIds(transaction).map(([term, id]) => (
            <Fact key={term} term={term}>
              <CopyId id={id} label={`${term.charAt(0).toLowerCase()}${term.slice(1)}`} />
            </Fact>
          ))}
        </Facts>
      </Panel>
    </div>
  );
}

/** The original text of values that had to be cleaned. */
function AsReceived({ received }: { received: NonNullable<Transaction["asReceived"]> }) {
  return (
    <Panel title="As received">
      <p className="text-muted mb-3">
        What the card network sent for the text that had to be cleaned.
      </p>
      <Facts>
        {Object.entries(received).map(([member, text]) => (
          <Fact key={member} term={RECEIVED_NAMES[member] ?? member}>
            <bdi className="break-words">
              {text === "" ? "Empty" : toPrintable(text, text.length)}
            </bdi>
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

/** The merchant's name, which leads to its transactions; nothing without a merchant. */
function MerchantFact({ merchant }: Pick<Transaction, "merchant">) {
  return (
    merchant && (
      <Fact term="Merchant">
        <Link
          className="underlined-link"
          href={toHref("/transactions", { merchant: merchant.name.trim() })}
        >
          <bdi>{merchant.name}</bdi>
        </Link>
      </Fact>
    )
  );
}

/** The authorization's description, where the clearing's differs. */
function AuthorizedAs({ said }: { said: NonNullable<Transaction["authorizedAs"]> }) {
  const { merchant_amount: merchantAmount, merchant_currency: merchantCurrency } = said;
  const rows = [
    ...onlyGiven([
      ["Narrative", said.narrative],
      ["Merchant", said.merchant?.name ?? null],
    ]),
    ...toChargedFacts({ merchantAmount, merchantCurrency }),
    ...toMerchantFacts(said),
  ];
  return (
    <Panel title="As authorized">
      <p className="text-muted mb-3">
        What the authorization said. The clearing, above, describes the purchase differently.
      </p>
      <Facts>
        {rows.map(([term, value]) => (
          <Fact key={term} term={term}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
        {said.occurred_at !== null && (
          <Fact term="By the network’s clock">
            <ExactTime at={new Date(said.occurred_at)} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

const RECEIVED_NAMES: Readonly<Record<string, string>> = {
  narrative: "Narrative",
  "merchant.name": "Merchant",
  "merchant.mcc": "Merchant category",
  "merchant.city": "City",
  "merchant.country": "Country",
  merchant_amount: "Merchant’s amount",
  merchant_currency: "Merchant’s currency",
};

type Row = [term: string, value: string];

function toChargedFacts({
  merchantAmount,
  merchantCurrency,
}: Pick<Transaction, "merchantAmount" | "merchantCurrency">): Row[] {
  return merchantAmount === null || merchantCurrency === null
    ? []
    : [["Requested by the merchant", formatMoney(merchantAmount, merchantCurrency)]];
}

/** What is known of the merchant besides the name. */
function toMerchantFacts({ merchant }: Pick<Transaction, "merchant">): Row[] {
  if (!merchant) {
    return [];
  }
  const place = [merchant.city, merchant.country].filter((part) => part !== null).join(", ");
  return onlyGiven([
    ["Merchant category", merchant.mcc === null ? null : toCategory(merchant.mcc)],
    ["Location", place === "" ? null : place],
  ]);
}

function toIds(transaction: Transaction): Row[] {
  return onlyGiven([
    ["Transaction ID", transaction.id],
    ["Card ID", transaction.cardId],
    ["Authorization ID", transaction.authorizationId],
    ["Increased authorization ID", transaction.incrementOf],
    ["Refunded purchase ID", transaction.refundOf],
    ["Covered purchase ID", transaction.coverOf],
    ["Taken back transaction ID", transaction.takesBack],
    ["Transfer ID", transaction.transferId],
    ["Request ID", transaction.requestId],
  ]);
}

function onlyGiven(rows: readonly [string, string | null][]): Row[] {
  return rows.flatMap(([term, value]): Row[] => (value === null ? [] : [[term, value]]));
}
