import type { Locator, Page } from "@playwright/test";
import { expect, newCard, test } from "./fixtures.ts";

/** What is typed right after a dialog was asked for, while its script may still be on its way. */

const SCRIPTS = "**/_next/static/**/*.js*";
const KEY_MS = 15;

interface Typed {
  path: string;
  button: string;
  /** One text per field. Tab is pressed between them. */
  texts: readonly string[];
  /** The fields with a text, and what they hold then. */
  holds: Readonly<Record<string, string>>;
}

const NAME = "Quarterly review, 2nd part";

const DIALOGS: readonly Typed[] = [
  { path: "/cards?status=frozen", button: "Save view", texts: [NAME], holds: { Name: NAME } },
  {
    path: "/developers/webhooks",
    button: "Add endpoint",
    texts: ["https://hooks.example/a/b/c"],
    holds: { URL: "https://hooks.example/a/b/c" },
  },
  {
    path: "/cardholders",
    button: "Create cardholder",
    texts: ["Ada Maria", "Winter"],
    holds: { "First name": "Ada Maria", "Last name": "Winter" },
  },
  {
    path: "/settings/staff",
    button: "Invite",
    texts: ["new.person@northwind.example"],
    holds: { Email: "new.person@northwind.example" },
  },
  { path: "/developers/api-keys", button: "Create key", texts: [NAME], holds: { Name: NAME } },
  {
    path: "CARD",
    button: "Credit",
    texts: ["12.34", "Salary of October"],
    holds: { Amount: "12.34", Narrative: "Salary of October" },
  },
  {
    path: "CARD",
    button: "Debit",
    texts: ["0.99", "Taken back"],
    holds: { Amount: "0.99", Narrative: "Taken back" },
  },
  {
    path: "CARD",
    button: "Freeze",
    // A letter: after a pause, as on a busy machine, a second one would begin another word.
    texts: ["l", "", "", "Called at noon"],
    holds: { Reason: "lost", Comment: "Called at noon" },
  },
  { path: "CARD", button: "Add note", texts: [NAME], holds: { Note: NAME } },
];

function toPath({ path }: Typed, card: { id: string }): string {
  return path === "CARD" ? `/cards/${card.id}` : path;
}

/** Clicks as a mouse does, without waiting for what follows. */
async function click(button: Locator): Promise<void> {
  await button.waitFor();
  const box = await button.boundingBox();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  await button.page().mouse.click(x + width / 2, y + height / 2);
}

async function type(page: Page, texts: readonly string[]): Promise<void> {
  for (const [place, text] of texts.entries()) {
    if (place > 0) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type(text, { delay: KEY_MS });
  }
}

/** Has pages believe that they are still loading, so that they load no dialog ahead. */
async function keepUnsettled(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(document, "readyState", { get: () => "interactive" });
    window.addEventListener("load", (event) => event.stopImmediatePropagation());
  });
}

async function expectHeld(page: Page, { holds }: Typed): Promise<void> {
  const dialog = page.getByRole("dialog");
  for (const [label, value] of Object.entries(holds)) {
    await expect(dialog.getByLabel(new RegExp(`^${label}`, "u"))).toHaveValue(value);
  }
}

test("no letter is lost from the click on that asks for a dialog", async ({
  owner,
  account,
  request,
}) => {
  test.slow();
  const card = await newCard(request, account, { float: 10_000, balance: 1_000 });
  for (const dialog of DIALOGS) {
    await test.step(dialog.button, async () => {
      await owner.goto(toPath(dialog, card));
      await click(owner.getByRole("button", { name: dialog.button, exact: true }));
      await type(owner, dialog.texts);
      await expectHeld(owner, dialog);
    });
  }
});

test("nor while its script takes long to arrive; no key does anything to the page meanwhile", async ({
  owner,
  account,
  request,
}) => {
  test.slow();
  const card = await newCard(request, account, { float: 10_000, balance: 1_000 });
  await keepUnsettled(owner);
  for (const dialog of DIALOGS) {
    await test.step(dialog.button, async () => {
      const path = toPath(dialog, card);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await owner.goto(path);
      await owner.route(SCRIPTS, async (route) => {
        await released;
        await route.continue();
      });
      await click(owner.getByRole("button", { name: dialog.button, exact: true }));
      // A correction, and what would lead to the float from a page.
      await type(owner, ["gf"]);
      await owner.keyboard.press("Backspace");
      await owner.keyboard.press("Backspace");
      await type(owner, dialog.texts);
      release();
      await expectHeld(owner, dialog);
      await expect(owner).toHaveURL(path);
      await owner.unroute(SCRIPTS);
    });
  }
});

test("a letter that follows a held one in a select belongs to the same word", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await keepUnsettled(owner);
  await owner.goto(`/cards/${card.id}`);
  await owner.route(SCRIPTS, async (route) => {
    await released;
    await route.continue();
  });
  await click(owner.getByRole("button", { name: "Freeze", exact: true }));
  await owner.keyboard.type("s");
  // Pressed by the page itself as soon as "s" has chosen "Stolen", so that no busy machine puts a pause between them.
  await owner.evaluate(() => {
    document.addEventListener(
      "change",
      ({ target }) =>
        target?.dispatchEvent(new KeyboardEvent("keydown", { key: "u", cancelable: true })),
      { once: true },
    );
  });
  release();
  const reason = owner.getByRole("dialog").getByLabel(/^Reason/u);
  await expect(reason).toHaveValue("suspected_fraud");
});
