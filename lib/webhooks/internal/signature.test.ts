import { Webhook as Reference } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { describe, expect, test } from "vitest";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";

const id = "01a1fd0f-6cef-7000-af0a-b8e42141223d";
const body = JSON.stringify({ event: "card.frozen", narrative: "Café – 買い物" });
const [present, previous, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];

function sign(members: { at?: Date; secrets?: string[] } = {}): Record<string, string> {
  return toSignatureHeaders({ id, at: new Date(), body, secrets: [present, previous], ...members });
}

describe.each([
  ["standardwebhooks", (secret: string) => new Reference(secret)],
  ["svix", (secret: string) => new Svix(secret)],
])("the %s package", (_name, open) => {
  test("accepts a body signed with the current or the previous secret", () => {
    for (const secret of [present, previous]) {
      expect(() => open(secret).verify(body, sign())).not.toThrow();
    }
  });

  test("refuses a wrong secret, a tampered body, another id, and a stale or future time", () => {
    const good = open(present);
    expect(() => open(other).verify(body, sign())).toThrow(/signature/iu);
    expect(() => good.verify(body.replace("frozen", "closed"), sign())).toThrow(/signature/iu);
    expect(() => good.verify(body, { ...sign(), "webhook-id": "another" })).toThrow(/signature/iu);
    for (const minutes of [-6, 6]) {
      const at = new Date(Date.now() + minutes * 60_000);
      expect(() => good.verify(body, sign({ at }))).toThrow(/timestamp/iu);
    }
  });

  test("receives exactly the signature it would compute itself", () => {
    const at = new Date(1_795_240_724_000);
    const headers = sign({ at, secrets: [present] });
    expect(headers["webhook-signature"]).toBe(open(present).sign(id, at, body));
    expect(headers["webhook-timestamp"]).toBe("1795240724");
  });
});
