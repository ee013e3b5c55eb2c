import { z } from "zod";

/** A new password: 12 to 255 characters. Weak ones are refused once it is known whose it is. */
export const passwordSchema = z
  .string()
  .min(12, "This field must be at least 12 characters long.")
  .max(255, "This field must be at most 255 characters long.");
