import { callApi, expect, newCard, test } from "./fixtures.ts";
import { hurry } from "./hurry.ts";
import type { Page } from "@playwright/test";

// The browser is somewhere else than the account, and it must not matter.
test.use({ timezoneId: "Europe/Berlin" });

async function setTimeZone(page: Page, timeZone: string): Promise<void> {
  await page.goto("/settings/account");
  await page.getByRole("button", { name: "Edit time zone" }).click();
  const dialog = page.getByRole("dialog", { name: "Time zone" });
  await expect(dialog.getByLabel("Time zone")).toBeFocused();
  await dialog.getByLabel("Time zone").selectOption(timeZone);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved")).toBeVisible();
  await expect(page.getByRole("region", { name: "Time zone" })).toContainText(timeZone);
}

function toDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
}

test("dates, filters, exports, and charts follow the account's time zone, not the browser's", async ({
  owner,
  account,
  request,
}) => {
  const problems: string[] = [];
  owner.on("pageerror", (error) => problems.push(error.message));
  owner.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const card = await newCard(request, account, { float: 10_000, balance: 500 });
  // Whatever the hour, one of the two has another day than UTC.
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const name = timeZone.replaceAll("_", " ");
    await setTimeZone(owner, name);
    await owner.goto("/float");
    await expect(owner.getByText(`Dates and times in ${name}`)).toBeVisible();
    const days = owner.getByRole("slider", { name: "Float, day by day" });
    const dayName = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", timeZone });
    await expect(days).toHaveAttribute(
      "aria-valuetext",
      `${dayName.format(new Date())}: Float $95.00`,
    );
    await owner.getByRole("link", { name: "Today" }).click();
    await expect(owner).toHaveURL("/float?range=today");
    await expect(owner.getByRole("table", { name: "Statement" }).getByRole("row")).toHaveCount(3);
    const offset = timeZone === "Pacific/Kiritimati" ? "+14:00" : "-11:00";
    const href = await owner.getByRole("link", { name: "Export CSV" }).getAttribute("href");
    const csv = await (await owner.request.get(href ?? "")).text();
    expect(csv).toContain(`${offset},`);
    await owner.goto(`/float?to=${toDay(new Date(Date.now() - 86_400_000), timeZone)}`);
    await expect(owner.getByText("No activity found")).toBeVisible();
    await owner.goto(`/cards/${card.id}`);
    const label = timeZone === "Pacific/Kiritimati" ? /GMT\+14$/u : /GMT-11$/u;
    await expect(owner.getByRole("definition").filter({ hasText: label }).first()).toBeVisible();
  }
  expect(problems).toEqual([]);
});

test("a change reaches a page that is open elsewhere, every list with days, and the audit log", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account);
  await hurry(owner);
  await owner.goto(`/cards?open=${card.id}`);
  const panel = owner.getByRole("region", { name: /^Card: / });
  await expect(panel.getByRole("definition").filter({ hasText: /UTC$/u }).first()).toBeVisible();
  const body = { time_zone: "Asia/Kathmandu" };
  await callApi(request, account, { path: "/card-integrators/settings", body });
  await expect(
    panel
      .getByRole("definition")
      .filter({ hasText: /GMT\+5:45$/u })
      .first(),
  ).toBeVisible();
  await expect(owner.getByText("Dates and times in Asia/Kathmandu")).toBeVisible();
  const today = toDay(new Date(), body.time_zone);
  const yesterday = toDay(new Date(Date.now() - 86_400_000), body.time_zone);
  for (const [path, nothing] of [
    ["/developers/api-log", "No requests found"],
    ["/developers/events", "No events found"],
    ["/settings/audit-log", "No changes found"],
  ] as const) {
    await owner.goto(`${path}?from=${today}`);
    await expect(owner.getByText("Dates and times in Asia/Kathmandu")).toBeVisible();
    await expect(owner.getByText(nothing)).toHaveCount(0);
    await owner.goto(`${path}?to=${yesterday}`);
    await expect(owner.getByText(nothing)).toBeVisible();
  }
  await owner.goto("/settings/audit-log");
  await expect(
    owner.getByText("changed the time zone from UTC to Asia/Kathmandu", { exact: false }),
  ).toBeVisible();
});
