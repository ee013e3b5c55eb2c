import { and, eq, isNull } from "drizzle-orm";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import type { Told } from "#lib/messages/tell-staff.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { Tx } from "#db/transaction.ts";

/** What a message says of an endpoint. */
interface EndpointFacts {
  host: string;
  path: string;
}

/** Tells people of the state of an endpoint, unless it has been deleted. */
export async function tellOfEndpoint(
  tx: Tx,
  endpointId: string,
  kind: Told<EndpointFacts>["kind"],
): Promise<void> {
  const [endpoint] = await tx
    .select({
      id: webhookEndpoints.id,
      integratorId: webhookEndpoints.integratorId,
      url: webhookEndpoints.url,
    })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.deletedAt)));
  if (endpoint) {
    const facts = toEndpointFacts(endpoint);
    await tellStaff(tx, endpoint.integratorId, {
      kind,
      facts,
      personId: null,
      stateOf: endpointId,
    });
  }
}

export function toEndpointFacts({ id, url }: { id: string; url: string | null }): EndpointFacts {
  return {
    host: URL.parse(url ?? "")?.host ?? "An endpoint",
    path: `/developers/webhooks/endpoints/${id}`,
  };
}
