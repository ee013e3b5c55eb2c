import type { Metadata } from "next";
import type { ReactNode } from "react";
import { personalPage } from "../../../page/personal-page.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { CreateKey } from "./create-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { listApiKeys } from "#lib/access/api-keys.ts";
import type { ApiKey } from "#lib/access/api-keys.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { env } from "#lib/base/env.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "API keys" };

export default personalPage(ApiKeysPage);

async function ApiKeysPage(session: StaffSession) {
  const disabledReason = roleDisabledReason(session.actor.staff.role, "keys:manage");
  const create = <CreateKey baseUrl={`${env().publicUrl}/api`} disabledReason={disabledReason} />;
  return (
    <>
      <PageHeader
        action={create}
        description="Authenticate your API requests. To rotate a key, create a new one, switch over, then revoke the old one."
        title="API keys"
      />
      <Panel flush title="Keys">
        {disabledReason === null ? (
          <Keys create={create} keys={await readAs(session, listApiKeys)} />
        ) : (
          <Empty title="No access">{disabledReason}</Empty>
        )}
      </Panel>
    </>
  );
}

function Keys({ keys, create }: { keys: readonly ApiKey[]; create: ReactNode }) {
  return keys.length === 0 ? (
    <Empty action={create} title="No keys yet">
      Create a key to call the API.
    </Empty>
  ) : (
    <ul aria-label="Keys" className="divide-separator divide-y">
      {keys.map((key) => (
        <KeyLine apiKey={key} key={key.id} />
      ))}
    </ul>
  );
}

function KeyLine({ apiKey }: { apiKey: ApiKey }) {
  const { name, prefix, suffix, scopes, expiresAt, createdBy, createdAt, lastUsedAt, revokedAt } =
    apiKey;
  return (
    <li
      aria-label={name}
      className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3 ${revokedAt ? "text-muted" : ""}`}
    >
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="font-medium">
          <span>{name}</span>{" "}
          <code className="text-muted font-mono text-xs font-normal">{`${prefix}…${suffix}`}</code>
        </span>
        <span className="text-muted text-xs break-words">{scopes.join(", ")}</span>
        <span className="text-muted text-xs">
          <span>{`Created by ${createdBy}`}</span> <Time at={createdAt} />
          {expiresAt && (
            <span>
              {" · "}expires <Time at={expiresAt} />
            </span>
          )}
          {lastUsedAt ? (
            <span>
              {" · "}last used <Time at={lastUsedAt} />
            </span>
          ) : (
            <span> · never used</span>
          )}
        </span>
      </div>
      {revokedAt ? (
        <span className="text-xs">
          Revoked <Time at={revokedAt} />
        </span>
      ) : (
        <RevokeKey id={apiKey.id} name={name} />
      )}
    </li>
  );
}
