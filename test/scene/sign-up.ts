import { newId } from "#lib/base/ids.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";

/** The default password of an account made by `signUp`. */
export const STRANGER_PASSWORD = "the stranger's own password";

/** Registers an integrator through the sandbox's public sign-up, which needs no credential. */
export function signUp(email: string, password: string = STRANGER_PASSWORD): Promise<ApiReply> {
  return call("POST /card-integrators/register-integrator", {
    address: newId(),
    body: {
      business_name: "Shadow",
      business_address: "1 Pier",
      contact_number: "+15550102",
      country: "US",
      domain: "shadow.example",
      email,
      first_name: "Mallory",
      last_name: "Stranger",
      password,
      registration_number: "54321",
    },
  });
}
