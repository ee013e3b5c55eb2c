import { build } from "esbuild";
import { expect, test } from "@playwright/test";
import { CURRENCIES } from "#lib/base/currencies.ts";
import { BALANCE_MAX, formatMoney, toDecimal } from "#lib/base/money.ts";
import { readAmount } from "#lib/base/typed-amount.ts";

const AMOUNTS = [0, 1, 99, 123_456_789, -5, 4_503_599_627_370_497, BALANCE_MAX];
const TYPED = ["1", "20.5", "1,234,567", "0.01", "1.234", "0.0001"];

/** What money is made of, as one script for a browser. */
async function bundleMoney(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { formatMoney, toDecimal } from "#lib/base/money.ts";
        export { readAmount } from "#lib/base/typed-amount.ts";`,
      resolveDir: `${import.meta.dirname}/..`,
    },
    bundle: true,
    format: "iife",
    globalName: "money",
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("\n");
}

/** Every currency's amounts, written and read. The same text runs here and in the browser. */
function describeMoney(
  money: {
    formatMoney: typeof formatMoney;
    toDecimal: typeof toDecimal;
    readAmount: typeof readAmount;
  },
  {
    currencies,
    amounts,
    typed,
  }: { currencies: readonly string[]; amounts: number[]; typed: string[] },
) {
  return currencies.map((currency) => ({
    currency,
    // The number alone: browsers know other symbols.
    shown: amounts.map((each) => /[0-9][0-9.,]*$/u.exec(money.formatMoney(each, currency))?.[0]),
    decimals: amounts.map((each) => money.toDecimal(each, currency)),
    read: typed.map((text) => money.readAmount(text, currency).amount),
  }));
}

test("Chromium shows and reads the amounts of every currency as the server does", async ({
  page,
}) => {
  await page.addScriptTag({ content: await bundleMoney() });
  const given = { currencies: CURRENCIES, amounts: AMOUNTS, typed: TYPED };
  const there = await page.evaluate(
    `(${describeMoney.toString()})(money, ${JSON.stringify(given)})`,
  );
  expect(there).toEqual(describeMoney({ formatMoney, toDecimal, readAmount }, given));
  expect(CURRENCIES.length).toBeGreaterThan(150);
});
