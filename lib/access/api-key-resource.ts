import type { ApiKey } from "#lib/access/api-keys.ts";

export function toApiKeyResource(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    suffix: key.suffix,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    exempted_at: key.exemptedAt?.toISOString() ?? null,
  };
}
