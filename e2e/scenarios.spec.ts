import type { Locator, Page } from "@playwright/test";
import { expect, register, test } from "./fixtures.ts";
import { measureScripts } from "./measure-scripts.ts";

/** Scenarios, read and run on their screen. */

const SCENARIO = "/developers/scenarios/freeze-stops-spending";
/** Five of them set up the account. */
const STEPS = 13;
/** How many accounts one address may register at once. */
const REGISTRATIONS_MAX = 40;

const step = (page: Page, number: number): Locator =>
  page.getByRole("listitem", { name: `Step ${number}`, exact: true });

const run = (page: Page) => page.getByRole("button", { name: "Run scenario" }).click();

test("a scenario is found, runs step by step with every request, response, and check, and leaves the person's own account alone", async ({
  owner: page,
}) => {
  await page.goto("/overview");
  await page.getByRole("link", { name: "Scenarios", exact: true }).click();
  await page.getByRole("link", { name: "A freeze stops spending" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: "A freeze stops spending" }),
  ).toBeVisible();
  await run(page);
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`All ${STEPS} steps passed.`);

  const declined = step(page, 8);
  await expect(declined).toContainText("The same purchase is declined.");
  await expect(declined).toContainText("Passed: data.decline_reason is card_frozen");
  await declined.getByText("Request and response 200").click();
  await expect(declined.getByRole("region", { name: "Request of step 8" })).toContainText(
    /^POST \/api\/cards\/[\da-f-]{36}\/mock-transaction/u,
  );
  await expect(declined.getByRole("region", { name: "Response 200 of step 8" })).toContainText(
    '"decline_reason": "card_frozen"',
  );

  await page.getByText("5 steps register an account of its own").click();
  await expect(step(page, 1)).toContainText("Passed: HTTP status is 201");

  await run(page);
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`All ${STEPS} steps passed.`);

  await page.goto("/cards");
  await expect(page.getByText("No cards yet")).toBeVisible();
});

test("a step that reaches no server says so, and the run ends there", async ({ owner: page }) => {
  await page.goto(SCENARIO);
  await page.context().setOffline(true);
  await run(page);
  await expect(page.getByRole("main").getByRole("status")).toContainText(
    /^Failed at step 1\. No response came from http:\S+: /u,
  );
  await page.getByRole("link", { name: "Show the step" }).click();
  await expect(step(page, 1)).toBeInViewport();
  await expect(step(page, 1)).toContainText("Request without a response");
  await expect(step(page, 2).getByText("Passed")).toHaveCount(0);

  await page.context().setOffline(false);
  await run(page);
  await expect(page.getByText(`All ${STEPS} steps passed.`)).toBeVisible();
});

test("a refused registration is explained, with what was expected and what came", async ({
  owner: page,
  request,
}) => {
  for (let registered = 1; registered < REGISTRATIONS_MAX; registered += 1) {
    await register(request);
  }
  await page.goto(SCENARIO);
  await run(page);
  await expect(page.getByRole("main").getByRole("status")).toContainText(
    "Expected $statusCode == 201, but it was 429. Too many registrations from this address; wait ten minutes.",
  );
  await expect(step(page, 1)).toContainText("Failed: HTTP status is 201, but it was 429");
  await expect(step(page, 1).getByRole("region", { name: /^Response 429/u })).toContainText(
    "rate_limited",
  );
});

test("a scenario is whole without JavaScript: each step as curl, with what it expects", async ({
  owner,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    javaScriptEnabled: false,
    storageState: await owner.context().storageState(),
  });
  const page = await context.newPage();
  await page.goto("/developers/scenarios");
  await page.getByRole("link", { name: "Freeze, unfreeze, and who did it" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Freeze, unfreeze, and who did it",
  );
  expect(await page.content()).toContain("JavaScript is off. Run the steps with curl instead.");
  await expect(step(page, 8).getByRole("region", { name: "curl of step 8" })).toContainText(
    `"${baseURL}/api/cards/$CARD_ID/unfreeze"`,
  );
  await expect(step(page, 8).getByRole("region", { name: "curl of step 8" })).toContainText(
    /"status_version": ?'\$FROZEN_VERSION'/u,
  );
  await expect(step(page, 7)).toContainText("code is card_status_changed");
  await page.getByText("5 steps register an account of its own").click();
  await expect(step(page, 1)).toContainText("API_KEY is data.api_key");
  expect((await page.request.get("/developers/scenarios/nonsense")).status()).toBe(404);
  await context.close();
});

test("scenarios load at most 200 kB of scripts", async ({ owner: page }) => {
  for (const path of ["/developers/scenarios", SCENARIO]) {
    const bytes = await measureScripts(page, path);
    expect([path, bytes <= 200_000 ? "small" : bytes]).toEqual([path, "small"]);
  }
});
