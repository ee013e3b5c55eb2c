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

test("a program registers, tops up its float, funds a card, freezes it and withdraws everything", async ({
  request,
}) => {
  const registered = await request.post("/api/card-integrators/register-integrator", {
    data: {
      business_name: "Northwind",
      business_address: "1 Harbour Street",
      contact_number: "+15550100",
      country: "US",
      domain: "northwind.example",
      email: `owner-${Date.now()}@northwind.example`,
      first_name: "Ada",
      last_name: "Winter",
      password: "correct horse battery",
      registration_number: "12345",
    },
  });
  expect(registered.status()).toBe(201);
  const { data: account } = await registered.json();
  const headers = { Authorization: `Bearer ${account.api_key}` };
  const patch = async (path: string, data?: object) => {
    const answer = await request.patch(`/api${path}`, { headers, ...(data ? { data } : {}) });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  await patch("/card-integrators/top-up-float", { amount: 10_000 });
  const user = await request.post(`/api/card-integrators/${account.id}/register-user`, {
    headers,
    data: {
      address: {
        city: "Accra",
        country: "GH",
        line1: "2 Ring Road",
        state: "AA",
        zip_code: "00233",
      },
      email: "lin@northwind.example",
      first_name: "Lin",
      last_name: "Osei",
      id_number: "X1234567",
      id_type: "passport",
      phone_number: "+233200000000",
    },
  });
  const { data: cardholder } = await user.json();
  const created = await request.post("/api/cards/create-virtual-card", {
    headers,
    data: {
      user_id: cardholder.id,
      currency: "USD",
      design_type: "midnight",
      single_use: false,
      validity: 365,
    },
  });
  const { data: card } = await created.json();
  expect(await patch("/cards/credit/balance", { card_id: card.id, amount: 2_500 })).toMatchObject({
    balance: 2_500,
  });
  expect(await patch(`/cards/${card.id}/freeze`)).toMatchObject({ status: "frozen" });
  expect(await patch("/cards/debit/balance", { card_id: card.id, amount: "all" })).toMatchObject({
    balance: 0,
  });
  const float = await request.get("/api/card-integrators/float", { headers });
  expect(await float.json()).toMatchObject({ balance: 10_000 });
});
