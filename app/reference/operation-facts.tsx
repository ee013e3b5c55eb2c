import { Link } from "../ui/link.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { toOperationHref } from "./href.ts";
import { findOperationAt } from "./reference.ts";
import type { ReferenceOperation } from "./reference.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { takesIdempotencyKey, takesIfMatch } from "#lib/operations/refusals.ts";

const LINK = "underlined-link";

/** Who may call an operation, since when, and what else applies to it. */
export function OperationFacts({ operation: { contract } }: { operation: ReferenceOperation }) {
  const { scope, since, sandboxOnly, fresh, tagged } = contract;
  return (
    <>
      {contract.deprecation && <Deprecated operation={contract} />}
      <div className="border-border bg-surface rounded-lg border p-4">
        <Facts>
          <Fact term="Called with">{toCaller(contract)}</Fact>
          {scope && (
            <Fact term="Scope">
              <code className="font-mono text-xs">{scope}</code>
            </Fact>
          )}
          {since && <Fact term="Since version">{since}</Fact>}
          {sandboxOnly && <Fact term="Environment">Sandbox only</Fact>}
          {fresh && <Fact term="Sign-in">Within the last five minutes</Fact>}
          {takesIdempotencyKey(contract) && (
            <Fact term="Retries">
              <Link className={LINK} href="/docs/money#retry-safely">
                {contract.secret
                  ? "Runs again: its response is not stored"
                  : "Safe with an Idempotency-Key"}
              </Link>
            </Fact>
          )}
          {tagged && (
            <Fact term="Entity tag">
              <Link className={LINK} href="/docs/requests#ask-whether-something-changed">
                {`ETag and ${takesIfMatch(contract) ? "If-Match" : "If-None-Match"}`}
              </Link>
            </Fact>
          )}
        </Facts>
      </div>
    </>
  );
}

function toCaller({ kind, staffOnly }: Operation): string {
  if (kind === "public") {
    return "No credential";
  }
  if (kind === "processor") {
    return "The card network's key";
  }
  return staffOnly ? "A signed-in person's session" : "An API key, or a signed-in person's session";
}

function Deprecated({ operation: { deprecation, method } }: { operation: Operation }) {
  if (!deprecation) {
    return null;
  }
  const successor = findOperationAt(method, deprecation.successor);
  return (
    <p className="border-border bg-surface text-pending rounded-lg border px-4 py-3" role="note">
      <span>{`Deprecated since ${deprecation.since}. ${
        deprecation.sunset
          ? `It stops working on ${deprecation.sunset.toISOString().slice(0, "2026-01-01".length)}.`
          : "It keeps working."
      }`}</span>{" "}
      {successor && (
        <>
          <span>Use</span>{" "}
          <Link
            className={LINK}
            href={toOperationHref(successor.id)}
          >{`${successor.method} ${successor.path}`}</Link>{" "}
          <span>instead.</span>
        </>
      )}
    </p>
  );
}
