import { IDS, STAFF_ACTOR } from "#lib/api/contract/samples.ts";

export const AT = "2026-11-21T07:56:40.105Z";

export const TOKEN = "nq3mV0tq7B8kY1zX4wN6sR2hL0pJc5dF";

export const PASSWORD = "a long enough password";

export const PERSON = {
  id: IDS.staff,
  email: "noor@northwind.example",
  first_name: "Noor",
  last_name: "Haddad",
  role: "operator",
  second_factor: false,
  signed_in_at: null,
  created_at: AT,
};

export const LINK = {
  id: IDS.invitation,
  kind: "invitation",
  email: "noor@northwind.example",
  role: "viewer",
  created_by: STAFF_ACTOR,
  created_at: AT,
  expires_at: "2026-11-24T07:56:40.105Z",
};

export const URL = `https://cards.northwind.example/invitation#${TOKEN}`;

export const DONE = { message: "Ok" };
