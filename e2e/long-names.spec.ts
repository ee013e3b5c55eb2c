import type { Page } from "@playwright/test";
import { callApi, expect, newCard, simulate, test, topUp, toPageHeaders } from "./fixtures.ts";
import { setWebhookUrl } from "./webhook-account.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";

/** The longest that can be typed, from right to left, and of few but wide signs. */
const NAMES = [
  `Bartholomew ${"Featherstonehaugh-".repeat(6)}Wolfe`,
  "محمد عبدالرحمن-السلطان-الشريف-المنصوري-القاسمي-الهاشمي-البغدادي",
  `Zoë ${"👩‍👩‍👧‍👦".repeat(12)}`,
];
const WIDTHS = [320, 375, 767, 768, 1_024, 1_280, 1_440];
/** The columns whose texts have no limit, besides the one that names the row. All others are shown whole. */
const MAY_BE_CUT = ["Card", "Cardholder", "Caller", "By", "Email", "Reason", "Result"];

interface Shown {
  /** How many cells and times were looked at. */
  count: number;
  /** Those that are not whole, or not within their panel. */
  clipped: string[];
}

/** Looks at what the page's lists must show whole: the cells of a table, and the time of a sentence. */
async function readShown(page: Page): Promise<Shown> {
  return page.getByRole("main").evaluate((main, mayBeCut) => {
    const cells = [...main.querySelectorAll("table")].flatMap((table) => {
      const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
      return [...table.querySelectorAll("tbody tr")].flatMap((row) =>
        [...row.children].filter(
          ({ localName, textContent }, index) =>
            localName === "td" && textContent !== "" && !mayBeCut.includes(heads[index] ?? ""),
        ),
      );
    });
    const shown = [...cells, ...main.querySelectorAll("ol time")].filter(
      (each) => each.getBoundingClientRect().width > 0,
    );
    const clipped = shown.filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      const frame = (each.closest("section") ?? main).getBoundingClientRect();
      const isWhole = each.localName === "time" || each.scrollWidth <= each.clientWidth;
      return left < frame.left || right > frame.right || !isWhole;
    });
    return { count: shown.length, clipped: clipped.map(({ textContent }) => textContent) };
  }, MAY_BE_CUT);
}

test("amounts, statuses, and dates are whole at any width, however long the names beside them are", async ({
  account,
  owner,
  request,
}) => {
  await setWebhookUrl(owner, account, `https://hooks.northwind.example/${"events/".repeat(30)}`);
  for (let times = 0; times < 2; times += 1) {
    await topUp(request, account, 1_000_000_000_000);
  }
  const cards = [];
  for (const name of NAMES) {
    const card = await newCard(request, account, { name, balance: 500_000_000_000 });
    await simulate(request, account, {
      cardId: card.id,
      type: "deduct",
      amount: 300_000_000_000,
      narrative: "Subscription renewal ".repeat(8).trim(),
    });
    cards.push(card);
  }
  const job = await callApi(request, account, {
    method: "POST",
    path: "/bulk",
    body: {
      operation: "credit",
      items: cards.map(({ id }) => ({ card_id: id, amount: 900_000_000_000 })),
    },
  });
  await createAsOwner(owner, "/api-keys", { name: "k".repeat(100), scopes: KEY_SCOPES });
  await createAsOwner(owner, "/staff/invitations", {
    email: `${"invited-".repeat(7)}to@${"northwind-".repeat(5)}trading.example`,
    role: "operator",
  });
  const [first] = cards;
  for (const path of [
    "/transactions",
    "/transactions?columns=type,card,status,at,posted,after,amount&density=compact",
    "/float",
    "/float/statement",
    "/cards",
    "/cards?columns=freeze,status,created,held,available,balance",
    "/cards/bulk",
    `/cards/bulk/${job.data.id}`,
    `/cards/${first?.id}/statement`,
    "/cardholders",
    `/cardholders/${first?.userId}`,
    "/developers/webhooks",
    "/developers/events",
    "/developers/api-log",
    "/developers/api-log/health",
    "/developers/api-keys",
    "/settings/staff",
    "/settings/audit-log",
  ]) {
    await owner.goto(path);
    for (const width of WIDTHS) {
      await owner.setViewportSize({ width, height: 900 });
      // A page that has just been resized may not be laid out yet.
      const look = async () => {
        const { count, clipped } = await readShown(owner);
        return { path, width, isEmpty: count === 0, clipped };
      };
      await expect.poll(look).toEqual({ path, width, isEmpty: false, clipped: [] });
    }
  }
  await owner.goto("/cards");
  const row = owner.getByRole("row", { name: NAMES[0] ?? "" });
  await row.hover();
  await expect(row.getByRole("link")).toHaveAttribute("title", NAMES[0] ?? "");
});

/** Performs what only staff may do, and no key. */
async function createAsOwner({ request }: Page, path: string, data: object): Promise<void> {
  const headers = await toPageHeaders(request);
  const answer = await request.post(`/api${path}`, { data, headers });
  expect(answer.status(), await answer.text()).toBe(201);
}
