import { CardLink } from "../../../../ui/card-link.tsx";
import { CopyId } from "../../../../ui/copy-id.tsx";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { ExactTime } from "../../../../ui/time.tsx";
import { RequestLink } from "../../../../ui/request-link.tsx";
import type { DetailedRequest } from "#lib/record/request-log.ts";

/** Who sent a request, when, and with what. */
export function Details({
  request,
  firstRequestId,
}: {
  request: DetailedRequest;
  /** The request whose response this one repeats. */
  firstRequestId: string | null;
}) {
  const { operation, actor, cardId, apiVersion, idempotencyKey, replayed, address } = request;
  return (
    <Panel title="Details">
      <Facts>
        {operation !== null && (
          <Fact term="Operation">
            <code className="font-mono text-xs">{operation}</code>
          </Fact>
        )}
        {actor && <Fact term="Caller">{actor.name}</Fact>}
        <Fact term="Time">
          <ExactTime at={request.createdAt} />
        </Fact>
        <Fact term="Duration">{`${request.durationMs.toLocaleString("en-US")} ms`}</Fact>
        <Fact term="Request ID">
          <CopyId id={request.requestId} label="request ID" />
        </Fact>
        {cardId !== null && (
          <Fact term="Card">
            <CardLink id={cardId} />
          </Fact>
        )}
        {apiVersion !== null && <Fact term="API version">{apiVersion}</Fact>}
        {idempotencyKey !== null && (
          <Fact term="Idempotency key">
            <CopyId id={idempotencyKey} label="idempotency key" />
          </Fact>
        )}
        {replayed && (
          <Fact term="Repeats">
            {firstRequestId === null ? (
              "An earlier response"
            ) : (
              <RequestLink id={firstRequestId}>First request</RequestLink>
            )}
          </Fact>
        )}
        {address !== null && (
          <Fact term="Address">
            <span className="font-mono text-xs">{address}</span>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
