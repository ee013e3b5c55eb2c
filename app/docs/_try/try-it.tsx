import { Link } from "../../ui/link.tsx";
import { toGatePath } from "../../client/gate-path.ts";
import { MadeFor } from "../../client/made-for.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { toOperationHref } from "../../reference/href.ts";
import type { ReferenceOperation } from "../../reference/reference.ts";
import { fillIn } from "./fill-in.ts";
import { TryPanel } from "./try-panel.tsx";
import { whyNot } from "./why-not.ts";
import { STAFF_ID_PARAMETER } from "#lib/base/page-person.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** Sends the operation from its page, in the sandbox. If it cannot be sent, says why. */
export async function TryIt({
  operation,
  session,
}: {
  operation: ReferenceOperation;
  session: StaffSession | undefined;
}) {
  return (
    <section
      aria-label="Try it"
      className="border-border bg-surface flex flex-col gap-3 rounded-lg border p-4"
    >
      <h2 className="font-medium">Try it</h2>
      {session ? (
        <MadeFor staffId={session.actor.staff.id}>
          <SignedIn operation={operation} session={session} />
        </MadeFor>
      ) : (
        <SignedOut id={operation.id} />
      )}
    </section>
  );
}

function SignedOut({ id }: { id: string }) {
  return (
    <p className="text-muted leading-6">
      <Link className="underlined-link" href={toGatePath("/sign-in", toOperationHref(id))}>
        Sign in
      </Link>{" "}
      to a sandbox account to send this request from here.
    </p>
  );
}

/** Adds the page's person to the query, because a link cannot send the header that names them. */
function toQuery({ contract }: ReferenceOperation, { actor }: StaffSession): string {
  return contract.kind === "public" ? "" : `?${STAFF_ID_PARAMETER}=${actor.staff.id}`;
}

async function SignedIn({
  operation,
  session,
}: {
  operation: ReferenceOperation;
  session: StaffSession;
}) {
  const reason = whyNot(operation.contract, session);
  if (reason !== null) {
    return <p className="text-muted leading-6">{reason}</p>;
  }
  if (operation.answer.mediaType !== "application/json") {
    return (
      <div>
        <LinkButton href={`/api${operation.path}${toQuery(operation, session)}`}>
          Open the response
        </LinkButton>
      </div>
    );
  }
  const { id, method, path, summary, parameters } = operation;
  const filled = await fillIn(operation, session);
  return (
    <>
      <noscript>
        <p className="text-muted">JavaScript is off. Send the request with curl instead.</p>
      </noscript>
      <TryPanel
        operation={{
          id,
          method,
          path,
          summary,
          query: parameters.query.map(({ name, description, values }) => ({
            name,
            hint: values.length > 0 ? `One of ${values.join(", ")}.` : description,
          })),
          pathName: parameters.path[0]?.name ?? null,
          takesBody: operation.body !== null,
        }}
        person={session.actor.ref.name}
        {...filled}
      />
    </>
  );
}
