import { expect, test } from "@playwright/test";

test("the welcome page names the environment and how to make a first call, and runs under its own policy", async ({
  page,
  baseURL,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") {
      refused.push(message.text());
    }
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Run your cards from one float");
  await expect(page.getByText("Sandbox: no real money moves here")).toBeVisible();
  await expect(page.getByText(`${baseURL}/api`, { exact: true })).toBeVisible();
  expect(refused).toEqual([]);
});

test("the reference and the health check are one click away", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Readiness check" }).click();
  await expect(page.getByText('"status":"ready"')).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "OpenAPI 3.1 document" }).click();
  await expect(page.getByText('"openapi":"3.1.0"')).toBeVisible();
});

test("the type of a problem leads to the sentence that explains its code", async ({
  page,
  request,
}) => {
  const refused = await request.get("/api/cards");
  const problem = await refused.json();
  expect(problem).toMatchObject({ status: 401, code: "credential_missing" });
  await page.goto(problem.type);
  await expect(
    page.getByRole("heading", { level: 3, name: "credential_missing" }),
  ).toBeInViewport();
});
