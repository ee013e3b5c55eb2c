import { expect, test } from "./fixtures.ts";
import { start, stop } from "./operator.ts";

test("staff of a stopped account are told so on every page, and can look at everything", async ({
  owner,
  account,
}) => {
  await stop(account);
  await owner.goto("/cards");
  await expect(
    owner.getByText("Changes to this account are stopped, and its cards decline."),
  ).toBeVisible();
  await expect(owner.getByRole("heading", { name: "Cards", level: 1 })).toBeVisible();
  await expect(owner.getByText(/^Floatdeck \d+\.\d+\.\d+/u)).toBeVisible();
  await start(account);
  await owner.reload();
  await expect(owner.getByText("Changes to this account are stopped")).toHaveCount(0);
});
