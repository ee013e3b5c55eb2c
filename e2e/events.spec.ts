import { callApi, expect, findEvent, newCard, register, test } from "./fixtures.ts";

test("an event is found by its ID, from the palette, and its page leads to what it is about", async ({
  owner,
  account,
  request,
}) => {
  const card = await newCard(request, account, { name: "Mei Tanaka" });
  await callApi(request, account, { path: `/cards/${card.id}/freeze`, body: { reason: "lost" } });
  const { id, request_id: requestId } = await findEvent(request, account, "card.frozen");
  await owner.goto("/overview");
  await owner.keyboard.press("Control+k");
  const palette = owner.getByRole("dialog", { name: "Search" });
  // The log of requests is written a moment after they are answered.
  await expect(async () => {
    await palette.getByRole("searchbox").fill("");
    await palette.getByRole("searchbox").fill(requestId);
    const found = palette.getByRole("option", { name: /^PATCH \/.+\/freeze/u });
    await expect(found).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await palette.getByRole("searchbox").fill(id);
  await palette.getByRole("option", { name: /^card\.frozen/u }).click();
  await owner.waitForURL(`**/developers/events/${id}`);
  await expect(owner.getByRole("heading", { level: 1, name: "card.frozen" })).toBeVisible();
  await expect(owner).toHaveTitle(/^card\.frozen · Events/u);
  const main = owner.getByRole("main");
  await expect(main).toContainText(`froze Mei Tanaka •••• ${card.last4}: lost`);
  await expect(main.getByRole("region", { name: "Event" })).toContainText(`"id": "${id}"`);
  await expect(main.getByText("No delivery on record.")).toBeVisible();
  await expect(main.getByRole("link", { name: "card.frozen" })).toHaveAttribute(
    "href",
    "/docs/api/events/card.frozen",
  );
  await main.getByRole("link", { name: /^Mei Tanaka/u }).click();
  await owner.waitForURL(`**/cards/${card.id}`);

  const stranger = await register(request);
  const other = await newCard(request, stranger);
  const theirs = await findEvent(request, stranger);
  const answer = await owner.goto(`/developers/events/${theirs.id}`);
  expect(answer?.status()).toBe(404);
  await expect(owner.getByText("We couldn't find that event.")).toBeVisible();
  await expect(main).not.toContainText(other.last4);
  await owner.goto("/developers/events?event=card.frozen");
  await owner.getByRole("listitem").getByLabel("Details").click();
  await owner.getByRole("link", { name: "View event" }).click();
  await owner.waitForURL(`**/developers/events/${id}`);
  await owner.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").click();
  await owner.waitForURL("**/developers/events?event=card.frozen");
});
