import { expect, test } from "vitest";
import { toPressedLetter } from "./pressed-letter.ts";

test("a letter that the layout has is that letter, wherever its key is", () => {
  expect(toPressedLetter({ key: "k", code: "KeyK" })).toBe("k");
  expect(toPressedLetter({ key: "a", code: "KeyQ" })).toBe("a");
  expect(toPressedLetter({ key: "G", code: "KeyG" })).toBe("g");
});

test("on a layout without it, the key's place decides", () => {
  expect(toPressedLetter({ key: "л", code: "KeyK" })).toBe("k");
  expect(toPressedLetter({ key: "П", code: "KeyG" })).toBe("g");
  expect(toPressedLetter({ key: "γ", code: "KeyG" })).toBe("g");
});

test("keys that are no letters stay what they are", () => {
  expect(toPressedLetter({ key: "/", code: "Slash" })).toBe("/");
  expect(toPressedLetter({ key: "?", code: "KeyM" })).toBe("?");
  expect(toPressedLetter({ key: "ö", code: "Semicolon" })).toBe("ö");
  expect(toPressedLetter({ key: "Enter", code: "Enter" })).toBe("enter");
});
