import { z } from "zod";

/** Common passwords that are long enough; the minimum length already refuses the shorter ones. */
const COMMON: ReadonlySet<string> = new Set([
  "123456789012",
  "1234567890123",
  "12345678901234",
  "123456789123",
  "1234567891011",
  "123123123123",
  "111111111111",
  "000000000000",
  "qwertyuiop12",
  "qwertyuiop123",
  "qwerty123456",
  "1q2w3e4r5t6y",
  "1qaz2wsx3edc",
  "password1234",
  "password12345",
  "password123456",
  "passwordpassword",
  "iloveyou1234",
  "administrator",
  "changemechangeme",
  "letmeinletmein",
  "welcome12345",
  "floatdeck1234",
  "floatdeckfloatdeck",
]);

/** A new password: 12 to 255 characters, and not among the most common. */
export const passwordSchema = z
  .string()
  .min(12, "This field must be at least 12 characters long.")
  .max(255, "This field must be at most 255 characters long.")
  .refine(
    (password) => !COMMON.has(password.toLowerCase()),
    "This password is among the most common ones; choose another.",
  );
