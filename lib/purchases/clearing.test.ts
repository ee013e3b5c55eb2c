import { assert, constant, constantFrom, dictionary, option, property, record } from "fast-check";
import { expect, test } from "vitest";
import { toCleared } from "#lib/purchases/internal/clearing.ts";
import { EMPTY_TRANSACTION, toDescribed } from "#lib/transactions/card-transaction-records.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { UNNAMED_MERCHANT } from "#db/schema/unknown-spend.ts";

const PLAIN = { noNullPrototype: true } as const;
const text = option(constantFrom("a", "b", "c"));
const described = record(
  {
    narrative: text,
    merchant: option(
      record(
        {
          name: constantFrom("A", "B", UNNAMED_MERCHANT),
          mcc: text,
          city: text,
          country: text,
        },
        PLAIN,
      ),
    ),
    asReceived: option(
      dictionary(constantFrom("narrative", "merchant.city"), constant("?"), {
        ...PLAIN,
        minKeys: 1,
      }),
    ),
    charged: option(record({ amount: constantFrom(1, 2), currency: constant("EUR") }, PLAIN)),
    occurredAt: option(constantFrom(new Date(0), new Date(1))),
  },
  PLAIN,
);

function toAuthorization(description: PurchaseDescription): Transaction {
  return {
    ...EMPTY_TRANSACTION,
    ...toDescribed(description),
    id: "",
    cardId: "",
    type: "deduct",
    status: "authorized",
    amount: 1,
    currency: "USD",
    cardBalanceBefore: 1,
    cardBalanceAfter: 1,
    actor: { type: "processor", id: null, name: "" },
    requestId: "",
    createdAt: new Date(0),
  };
}

test("a clearing is laid over what was authorized: it takes nothing away, and what was said before can be read", () => {
  assert(
    property(described, described, described, (asked, first, second) => {
      const authorization = toAuthorization(asked);
      const settled = { ...authorization, ...toCleared(authorization, first).first };
      const said = toDescribed(first);
      expect(settled.narrative).toBe(said.narrative ?? authorization.narrative);
      expect(settled.occurredAt).toEqual(said.occurredAt ?? authorization.occurredAt);
      for (const member of ["mcc", "city", "country"] as const) {
        const expected = said.merchant?.[member] ?? authorization.merchant?.[member] ?? null;
        expect(settled.merchant?.[member] ?? null).toBe(expected);
      }
      // What the first capture says is nothing to the second.
      expect(toCleared(settled, second)).toEqual(toCleared(authorization, second));
    }),
  );
});

test("a capture that says nothing, or the same, changes nothing", () => {
  assert(
    property(described, (asked) => {
      const authorization = toAuthorization(asked);
      expect(toCleared(authorization, undefined).first).toEqual({});
      expect(toCleared(authorization, asked)).toMatchObject({
        first: {},
        further: { authorizedAs: null },
      });
    }),
  );
});
