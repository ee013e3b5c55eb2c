import { expect, test } from "./fixtures.ts";
import { runOperator } from "./operator.ts";

test("staff of a stopped account are told so on every page, and can look at everything", async ({
  owner,
  account,
}) => {
  await runOperator(`integrator stop ${account.id}`);
  await owner.goto("/cards");
  await expect(owner.getByText("The operator of this server stopped all changes of this account")).toBeVisible();
  await expect(owner.getByRole("heading", { name: "Cards", level: 1 })).toBeVisible();
  await expect(owner.getByText(/^Floatdeck \d+\.\d+\.\d+/u)).toBeVisible();
  await runOperator(`integrator start ${account.id}`);
  await owner.reload();
  await expect(owner.getByText("The operator of this server stopped")).toHaveCount(0);
});
