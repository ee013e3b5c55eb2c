import type { Entries } from "#lib/api/reference/entry.ts";
import { ACCOUNT as SAMPLE } from "#lib/api/reference/samples.ts";

export const ACCOUNT: Entries = {
  updateAccount: {
    description:
      "Send any of the three members; the others keep their values. If one of them is not valid, nothing changes. A webhook_url of null turns notifications off.",
    example: {
      body: { domain: "northwind.example" },
      answer: { data: SAMPLE },
    },
  },
  updateSettings: {
    description:
      "Send any of the members; the others keep their values. api_version is the version of requests without an Api-Version header, and of events. time_zone is UTC or the IANA name of a time zone, such as America/New_York.",
    example: {
      body: { low_balance_threshold: 100_000, idempotency_required: false },
      answer: { data: SAMPLE },
    },
  },
  getAccount: {
    description: "The account that the credential belongs to.",
    example: { answer: { data: SAMPLE } },
  },
  getAccountVersion: {
    description: "Compare it with an earlier one to find out whether a page is out of date.",
    example: { answer: { version: "118" } },
  },
  registerIntegrator: {
    description:
      "Creates an account, its float, the owner's sign-in, and a first API key, which is shown only here.",
    example: {
      body: {
        business_name: "Northwind",
        business_address: "1 Harbour Street",
        contact_number: "+15550100",
        country: "US",
        domain: "northwind.example",
        email: "ada@northwind.example",
        first_name: "Ada",
        last_name: "Winter",
        password: "a long enough password",
        registration_number: "12345",
        float_currencies: ["USD"],
      },
      answer: {
        data: {
          ...SAMPLE,
          webhook_url: null,
          low_balance_threshold: null,
          api_key: "fd_test_3q2cJq0m9v5tq7B8kY1zX4wN6sR2hL0p",
        },
      },
    },
  },
};
