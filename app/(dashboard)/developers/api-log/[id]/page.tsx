import { setTimeout as sleep } from "node:timers/promises";
import type { Metadata } from "next";
import { Link } from "../../../../ui/link.tsx";
import { cache } from "react";
import { Breadcrumb } from "../../../../client/breadcrumb.tsx";
import { Live } from "../../../../client/live.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { requireStaffPage } from "../../../../page/staff-page.ts";
import { PageHeader } from "../../../../ui/page-header.tsx";
import { StatusLabel } from "../status-label.tsx";
import { Details } from "./details.tsx";
import { KeptBodyPanel } from "./kept-body-panel.tsx";
import { toAbsence } from "./not-kept.ts";
import { Related } from "./related.tsx";
import { SendAgain } from "./send-again.tsx";
import { toCurl } from "./to-curl.ts";
import { toResendable } from "./to-resendable.ts";
import { toDetailedRequestResource } from "#lib/record/request-resource.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { env } from "#lib/base/env.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { toTimeOfId } from "#lib/base/ids.ts";
import { getRequest, listRequests } from "#lib/record/request-log.ts";
import type { DetailedRequest } from "#lib/record/request-log.ts";
import { readRelations } from "#lib/record/request-relations.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** A request is logged within half a second; a link to it may be followed before that. */
const WRITTEN_WITHIN_MS = 2_000;
const RETRY_MS = 250;
const LIST = { href: "/developers/api-log", name: "API log" } as const;

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findRequestPage((await params).id);
  return found ? { title: `${toTitle(found.request)} · API log` } : MISSING;
}

export default personalPage(RequestPage);

async function RequestPage(session: StaffSession, { params }: Props) {
  const found = await findRequestPage((await params).id);
  if (!found) {
    return <Missing back={LIST} noun="request" />;
  }
  const { request, relations } = found;
  const resource = toDetailedRequestResource(request);
  const absence = toAbsence(resource);
  const sent = resource.request;
  return (
    <>
      <Live />
      <Breadcrumb list={LIST.href} name={LIST.name}>
        {toTitle(request)}
      </Breadcrumb>
      <PageHeader
        action={
          session.environment === "sandbox" && (
            <SendAgain
              first={{ status: request.status, body: resource.response }}
              resendable={toResendable(resource)}
            />
          )
        }
        description={<StatusAndError request={request} />}
        title={toTitle(request)}
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[1fr_320px]">
        <div className="flex min-w-0 flex-col gap-6">
          <KeptBodyPanel absence={absence} kept={resource.response} title="Response" />
          <KeptBodyPanel
            absence={absence}
            command={toCurl(request, {
              origin: env().publicUrl,
              body: sent && (sent.text ?? (sent.body === null ? null : JSON.stringify(sent.body))),
            })}
            kept={sent}
            title="Request"
          />
          <Related relations={relations} />
        </div>
        <Details firstRequestId={relations.firstRequestId} request={request} />
      </div>
    </>
  );
}

function toTitle({ method, path }: DetailedRequest): string {
  return `${method} ${path}`;
}

/** The status and the error, with a link to what to do about it. */
function StatusAndError({ request: { status, code, detail } }: { request: DetailedRequest }) {
  return (
    <span className="flex flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-3">
        <StatusLabel status={status} />
        {code !== null && (
          <Link className="underlined-link" href={`/docs/errors#${code}`}>
            <code className="font-mono text-xs">{code}</code>
          </Link>
        )}
      </span>
      {detail !== null && <span className="text-foreground break-words">{detail}</span>}
    </span>
  );
}

/**
 * Read once for the page and its title, by the row's id or the request's. Undefined for another integrator's, an
 * unknown one and a malformed id.
 */
const findRequestPage = cache(async (id: string) => {
  const session = await requireStaffPage();
  const read = () =>
    readAs(session, async (ctx) => {
      const request = await findRequest(ctx, id);
      return request && { request, relations: await readRelations(ctx, request) };
    });
  let found = await read();
  while (!found && isJustMade(id)) {
    await sleep(RETRY_MS);
    found = await read();
  }
  return found;
});

/** Whether the request may not be logged yet. */
function isJustMade(requestId: string): boolean {
  const ageMs = Date.now() - (toTimeOfId(requestId) ?? 0);
  return Math.abs(ageMs) < WRITTEN_WITHIN_MS;
}

async function findRequest(ctx: ReadContext, id: string): Promise<DetailedRequest | undefined> {
  try {
    return await getRequest(ctx, id);
  } catch (error) {
    if (!isDomainError(error) || error.code !== "request_not_found") {
      throw error;
    }
  }
  const [row] = (await listRequests(ctx, { requestId: id, limit: 1 })).rows;
  return row && getRequest(ctx, row.id);
}
