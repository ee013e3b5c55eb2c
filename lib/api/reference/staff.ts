import type { Entries } from "#lib/api/reference/entry.ts";
import { IDS, STAFF_ACTOR } from "#lib/api/reference/samples.ts";

const AT = "2026-11-21T07:56:40.105Z";
const TOKEN = "nq3mV0tq7B8kY1zX4wN6sR2hL0pJc5dF";
const PASSWORD = "a long enough password";

const PERSON = {
  id: IDS.staff,
  email: "noor@northwind.example",
  first_name: "Noor",
  last_name: "Haddad",
  role: "operator",
  second_factor: false,
  signed_in_at: null,
  created_at: AT,
};

const LINK = {
  id: IDS.invitation,
  kind: "invitation",
  email: "noor@northwind.example",
  role: "viewer",
  created_by: STAFF_ACTOR,
  created_at: AT,
  expires_at: "2026-11-24T07:56:40.105Z",
};

const URL = `https://cards.northwind.example/invitation#${TOKEN}`;

export const STAFF: Entries = {
  listStaff: {
    description: "Everyone who can sign in, and everyone who is invited.",
    example: { answer: { data: [PERSON], invitations: [LINK] } },
  },
  inviteStaff: {
    description: "Send the link to the person yourself: nobody else sees it.",
    example: {
      body: { email: "noor@northwind.example", role: "viewer" },
      answer: { data: LINK, link: URL },
    },
  },
  revokeInvitation: {
    description: "The link stops working.",
    example: { id: IDS.invitation, answer: { data: LINK } },
  },
  changeRole: {
    description: "Only an owner may change an owner's role, or make someone an owner.",
    example: {
      id: IDS.staff,
      body: { role: "viewer" },
      answer: { data: { ...PERSON, role: "viewer" } },
    },
  },
  removeStaff: {
    description: "The person's entries in the logs stay.",
    example: { id: IDS.staff, answer: { data: PERSON } },
  },
  revokeSessions: {
    description: "The person has to sign in again, in every browser.",
    example: { id: IDS.staff, answer: { data: PERSON } },
  },
  makePasswordReset: {
    description: "Send the link to the person yourself: nobody else sees it.",
    example: {
      id: IDS.staff,
      answer: { data: { ...LINK, kind: "password_reset", role: null }, link: URL },
    },
  },
  requireSecondFactor: {
    description: "People without it can then do nothing but set it up.",
    example: { body: { required: false }, answer: { required: false } },
  },
  readLink: {
    description: "The link itself is the credential. Reading it does not use it up.",
    example: {
      body: { token: TOKEN },
      answer: {
        kind: "invitation",
        email: "noor@northwind.example",
        role: "viewer",
        business_name: "Northwind",
        expires_at: LINK.expires_at,
      },
    },
  },
  acceptInvitation: {
    description: "Uses the link up. The person can then sign in.",
    example: {
      body: { token: TOKEN, first_name: "Noor", last_name: "Haddad", password: PASSWORD },
      answer: { email: "noor@northwind.example" },
    },
  },
  resetPassword: {
    description: "Uses the link up, and signs the person out everywhere.",
    example: {
      body: { token: TOKEN, password: PASSWORD },
      answer: { email: "noor@northwind.example" },
    },
  },
};
