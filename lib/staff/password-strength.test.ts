import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { refuseWeakPassword } from "#lib/staff/password-strength.ts";

const ADA = ["Ada", "Winter", "ada.winter@quay.example", "Northwind Trading"];

/** The sentence that refuses a password; null when it is accepted. */
async function refusalOf(password: string, about: readonly string[] = ADA): Promise<string | null> {
  try {
    await refuseWeakPassword(password, about, "password");
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a new password is refused", () => {
  test("when it is among the 10,000 most common, or is one of them made long enough", async () => {
    const common = dictionary["passwords-common"].map(String).slice(0, 10_000);
    expect(common).toHaveLength(10_000);
    const accepted: string[] = [];
    for (const [rank, word] of common.entries()) {
      // Every hundredth also doubled, tripled, … until it is long enough.
      const times = rank % 100 === 0 ? Math.ceil(12 / word.length) : 1;
      const password = word.repeat(times);
      if (password.length >= 12 && (await refusalOf(password)) === null) {
        accepted.push(password);
      }
    }
    expect(accepted).toEqual([]);
  });

  test.each([
    "Password1234",
    "P@ssw0rd!2024",
    "qwertyuiop123",
    "iloveyou12345",
    "aaaaaaaaaaaaaaaa",
    "0123456789abc",
    "january2026!!",
  ])("when it is a common one with an ending, or a pattern: %s", async (password) => {
    expect(await refusalOf(password)).toMatch(/too easy to guess/u);
  });

  test.each([
    ["name", "AdaWinter-1815"],
    ["name in l33t", "4d4w1nt3r1815"],
    ["name backwards", "retniwada1815"],
    ["email", "ada.winter@quay"],
    ["email's host", "quay.example12"],
    ["business", "Northwind-2026!"],
    ["business without its space", "northwindtrading1"],
    ["product", "floatdeck-2026!"],
    ["product twice", "FloatdeckFloatdeck"],
    ["name, business, and product", "Ada Winter, Northwind, Floatdeck"],
  ])("when it resembles the person's %s: %s", async (_what, password) => {
    expect(await refusalOf(password)).toMatch(/too easy to guess/u);
  });
});

test.each([
  "correct horse battery",
  "kX9$vb2Qz!m4",
  "a password of my own",
  "winter took the umbrella",
  "ñandú über 東京 zażółć",
])("a new password that takes long to guess is accepted: %s", async (password) => {
  expect(await refusalOf(password)).toBeNull();
});

test("names of one or two letters, and empty ones, refuse nothing", async () => {
  expect(await refusalOf("orbital mango lantern", ["Jo", "", "o@x.io"])).toBeNull();
});

test("no password of 255 characters occupies the process for long", async () => {
  await refusalOf("warm up the estimator");
  const hard = ["4@8({[<369&#!1/|0$5+7%2", "1234567890", "12/12/2012", "qwertyuiop", "ab1!", "a"];
  const times: number[] = [];
  for (const part of hard) {
    const started = performance.now();
    await refusalOf(part.repeat(255).slice(0, 255));
    times.push(performance.now() - started);
  }
  // Without the bound on what is estimated, the slowest takes more than two seconds.
  expect(Math.max(...times)).toBeLessThan(500);
});

test("signing up with one's own name as the password says so at the password", async () => {
  const reply = await call("POST /card-integrators/register-integrator", {
    body: {
      business_name: "Quay & Co",
      business_address: "1 Harbour Street",
      contact_number: "+15550100",
      country: "US",
      domain: "quay.example",
      email: `${crypto.randomUUID()}@quay.example`,
      first_name: "Gwendolyn",
      last_name: "Farnsworth",
      password: "gwendolynfarnsworth",
      registration_number: "54321",
      webhook_url: null,
      float_currencies: ["USD"],
    },
  });
  expect(reply).toMatchObject({
    status: 422,
    json: { code: "validation_failed", errors: { password: [expect.stringMatching(/guess/u)] } },
  });
});
