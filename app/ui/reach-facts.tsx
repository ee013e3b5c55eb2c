import { Fact } from "./facts.tsx";
import { Time } from "./time.tsx";
import { COUNTED_MAX } from "#lib/webhooks/endpoint-health.ts";
import type { EndpointHealth } from "#lib/webhooks/endpoint-health.ts";

/** Facts about whether notifications reach the endpoint. */
export function ReachFacts({ health: { endpoint, pending } }: { health: EndpointHealth }) {
  return (
    <>
      {endpoint.failingSince && (
        <Fact term="Failing since">
          <Time at={endpoint.failingSince} />
        </Fact>
      )}
      <Fact term="Last success">
        {endpoint.lastSuccessAt ? <Time at={endpoint.lastSuccessAt} /> : "Never"}
      </Fact>
      <Fact term="Queued">{toCount(pending)}</Fact>
    </>
  );
}

/** A count, with "+" where counting stopped. */
export function toCount(count: number): string {
  const text = count.toLocaleString("en-US");
  return count < COUNTED_MAX ? text : `${text}+`;
}
