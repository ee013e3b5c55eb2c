import { describe, expect, test } from "vitest";
import { cleanDescription } from "./clean-description.ts";

/** What it also says. */
const UNSAID = { charged: null, occurredAt: null };

const SHOP = { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" };

function clean(member: string, text: string) {
  const merchant = { ...SHOP, [member]: text };
  return cleanDescription({ narrative: null, merchant });
}

test("text that breaks no rule stays as it was sent, and nothing is kept beside it", () => {
  const sent = { narrative: "  BLUE BOTTLE*OAK   ☕️ ", merchant: SHOP };
  expect(cleanDescription(sent)).toEqual({ ...sent, ...UNSAID, asReceived: null });
  const none = { narrative: null, merchant: null };
  expect(cleanDescription(none)).toEqual({ ...none, ...UNSAID, asReceived: null });
  const unsaid = { ...SHOP, mcc: null, city: null, country: null };
  expect(cleanDescription({ narrative: "", merchant: unsaid })).toEqual({
    narrative: "",
    merchant: unsaid,
    ...UNSAID,
    asReceived: null,
  });
});

describe("what a rule changes is kept beside the result, as it came", () => {
  test.each([
    ["name", "", "Unknown merchant"],
    ["name", " \t", "Unknown merchant"],
    ["name", "Blue\u0007Bottle\n", "Blue Bottle "],
    ["mcc", "742", null],
    ["mcc", "58140", null],
    ["mcc", "", null],
    ["mcc", "58A4", null],
    ["mcc", " 5814 ", "5814"],
    ["city", "800-555-0142", null],
    ["city", "+1 (800) 555 0142", null],
    ["city", "https://blue.example/help", null],
    ["city", "www.bluebottle", null],
    ["city", "BLUE.COM/BILL", null],
    ["city", "help@blue.co", null],
    ["city", "", null],
    ["country", "QZZ", null],
    ["country", "ZZ", null],
    ["country", "840", "US"],
    ["country", "USA", "US"],
    ["country", "us", "US"],
    ["country", "036", "AU"],
    ["country", "constructor", null],
  ])("the %s %j becomes %j", (member, text, cleaned) => {
    expect(clean(member, text)).toEqual({
      narrative: null,
      merchant: { ...SHOP, [member]: cleaned },
      ...UNSAID,
      asReceived: { [`merchant.${member}`]: text },
    });
  });

  test.each([
    "St. Louis",
    "St.Gallen",
    "Frankfurt a.M.",
    "’s-Hertogenbosch",
    "75001 Paris",
    "京都",
  ])("the city %s is one", (city) => {
    expect(clean("city", city)).toMatchObject({ merchant: { city }, asReceived: null });
  });

  test("a narrative of 300 characters is cut to 255, and no character is cut in two", () => {
    const narrative = "☕".repeat(254) + "👩".repeat(46);
    const cleaned = cleanDescription({ narrative, merchant: null });
    expect(cleaned.narrative).toBe(`${"☕".repeat(254)}👩`);
    expect(cleaned.asReceived).toEqual({ narrative });
  });

  test("as far as it can be stored: the first thousand characters, without NUL and lone surrogates", () => {
    const cleaned = cleanDescription({ narrative: `\0\ud800${"x".repeat(2_000)}`, merchant: null });
    expect(cleaned.narrative).toBe(` \ufffd${"x".repeat(253)}`);
    expect(cleaned.asReceived).toEqual({ narrative: `\ufffd\ufffd${"x".repeat(998)}` });
  });
});
