import { apiKeySchema } from "#lib/api/contract/api-key.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const apiKeyExpiring = event({
  name: "api_key.expiring",
  order: 1,
  when: "An API key expires within seven days, in real time: once per expiry.",
  data: apiKeySchema,
  example: {
    data: {
      id: IDS.apiKey,
      name: "First key",
      prefix: "fd_test_3q2c",
      suffix: "hL0p",
      scopes: ["cards:read", "cards:write"],
      expires_at: "2026-12-01T09:00:00.000Z",
      created_by: "Ada Winter",
      created_at: "2026-09-02T09:00:00.000Z",
      last_used_at: "2026-11-24T08:59:00.000Z",
      revoked_at: null,
      exempted_at: null,
    },
  },
  format: (formatter) =>
    say`The API key ${{ text: formatter.text("name"), href: "/developers/api-keys" }} ends soon`,
  trigger: null,
});
