import { z } from "zod";

/** A new password: 12 to 255 characters. `refuseWeakPassword` also checks its strength, once the person is known. */
export const passwordSchema = z
  .string()
  .min(12, "This field must be at least 12 characters long.")
  .max(255, "This field must be at most 255 characters long.");
