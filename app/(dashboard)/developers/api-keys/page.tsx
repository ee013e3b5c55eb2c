import type { Metadata } from "next";
import { personalPage } from "../../../page/personal-page.tsx";
import { CellTime } from "../../../ui/cell-time.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import type { Elements } from "../../../ui/elements.ts";
import { Empty } from "../../../ui/empty.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { Time } from "../../../ui/time.tsx";
import { CreateKey } from "./create-key.tsx";
import { ExemptKey } from "./exempt-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { listApiKeys } from "#lib/access/api-keys.ts";
import type { ApiKey } from "#lib/access/api-keys.ts";
import { canMove, listKeysUnderRule } from "#lib/approvals/keys-under-rule.ts";
import { readAs } from "#lib/auth/page-session.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { env } from "#lib/base/env.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "API keys" };

export default personalPage(ApiKeysPage);

async function ApiKeysPage(session: StaffSession) {
  const disabledReason = roleDisabledReason(session.actor.staff.role, "keys:manage");
  const create = <CreateKey baseUrl={toBaseUrl()} disabledReason={disabledReason} />;
  return (
    <>
      <PageHeader
        action={create}
        description="Authenticate your API requests. Rotate a key before it expires or when it may be known to others."
        title="API keys"
      />
      <Panel flush title="Keys">
        {disabledReason === null ? (
          <Keys create={create} keys={await readAs(session, listKeys)} />
        ) : (
          <Empty title="No access">{disabledReason}</Empty>
        )}
      </Panel>
    </>
  );
}

function toBaseUrl(): string {
  return `${env().publicUrl}/api`;
}

interface ListedKey extends ApiKey {
  /** Whether the key's large moves wait for approval. */
  isUnderRule: boolean;
  /** Whether the large moves of a replacement key would wait. */
  isNextUnderRule: boolean;
}

async function listKeys(ctx: ReadContext): Promise<ListedKey[]> {
  const underRule = await listKeysUnderRule(ctx);
  return (await listApiKeys(ctx)).map((key) => ({
    ...key,
    isUnderRule: underRule?.has(key.id) ?? false,
    isNextUnderRule: underRule !== null && canMove(key),
  }));
}

function Keys({ keys, create }: { keys: readonly ListedKey[]; create: Elements }) {
  return (
    <DataTable
      columns={COLUMNS}
      empty={
        <Empty action={create} title="No keys yet">
          Create a key to call the API.
        </Empty>
      }
      idOf={({ id }) => id}
      items={keys}
      label="Keys"
    />
  );
}

const COLUMNS: readonly Column<ListedKey>[] = [
  {
    id: "name",
    name: "Name",
    narrow: "beside",
    cell: ({ name, prefix, suffix }) => (
      <>
        <RowName name={name} />
        <code className="text-muted font-mono text-xs">{`${prefix}…${suffix}`}</code>
      </>
    ),
  },
  {
    id: "scopes",
    name: "Scopes",
    narrow: "below",
    // Shows all scopes, because without a mouse nobody could see truncated ones.
    cell: ({ id, name, scopes, revokedAt, isUnderRule }) => (
      <>
        <span className="text-muted block min-w-60 py-1 text-xs whitespace-normal">
          {scopes.join(", ")}
        </span>
        {isUnderRule && !revokedAt && (
          <span className="flex items-center gap-3 pb-1 text-xs">
            Large moves wait for approval
            <ExemptKey id={id} name={name} />
          </span>
        )}
      </>
    ),
  },
  {
    id: "created",
    name: "Created",
    narrow: "spare",
    cell: ({ createdAt, createdBy }) => (
      <>
        <CellTime at={createdAt} word="created" />{" "}
        <span className="text-muted inline-block max-w-32 truncate align-bottom">{`by ${createdBy}`}</span>
      </>
    ),
  },
  {
    id: "used",
    name: "Last used",
    narrow: "below",
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? (
        <CellTime at={lastUsedAt} word="last used" />
      ) : (
        <span className="text-muted">Never used</span>
      ),
  },
  {
    id: "expires",
    name: "Expires",
    narrow: "below",
    cell: ({ expiresAt }) => expiresAt && <CellTime at={expiresAt} word="expires" />,
  },
  {
    id: "actions",
    name: "Actions",
    narrow: "beside",
    align: "end",
    cell: ({ id, name, revokedAt, isNextUnderRule }) =>
      revokedAt ? (
        <span className="text-muted">
          Revoked <Time at={revokedAt} />
        </span>
      ) : (
        <span className="inline-flex gap-2">
          <RotateKey baseUrl={toBaseUrl()} id={id} isNextUnderRule={isNextUnderRule} name={name} />
          <RevokeKey id={id} name={name} />
        </span>
      ),
  },
];
