import { newId } from "#lib/base/ids.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";

/** The password of whoever signs up. */
export const STRANGERS = "the stranger's own password";

/** Signs up as anybody can who reaches the sandbox. */
export function signUp(email: string, password: string = STRANGERS): Promise<ApiReply> {
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
