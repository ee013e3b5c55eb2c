import { post, read, remove } from "../asks.ts";
import type { AdminClient } from "../admin-client.ts";
import { rowsOf } from "../admin-client.ts";
import { isAcknowledged } from "../history.ts";

/** Creates a key, uses it on every server, exempts it, replaces it by its rotation, and tries out what was revoked. */
export async function replaceKey(client: AdminClient): Promise<void> {
  const marker = client.newMarker();
  const body = { name: marker, scopes: ["account:read"], expires_in_days: null };
  const created = await client.asOwner(
    post("createApiKey", "/api-keys", { body, marker, repeat: "performed" }),
  );
  const id = String(created.data["id"]);
  const key = String(created.data["api_key"]);
  if (!isAcknowledged(created)) {
    return;
  }
  const listed = await client.asOwner(read("listApiKeys", "/api-keys"));
  client.requireShown(listed, `key ${id}`, ({ data }) =>
    rowsOf(data).some((row) => row["id"] === id && row["revoked_at"] === null),
  );
  for (const at of client.servers) {
    const used = await tryKey(client, { id, key }, at);
    client.requireStatus(used, `the new key ${id}`, 200);
  }
  await client.asOwner(post("exemptApiKey", `/api-keys/${id}/exempt`, { target: id }));
  const rotated = await client.asOwner(
    post("rotateApiKey", `/api-keys/${id}/rotate`, {
      body: { overlap_days: 1 },
      target: id,
      marker,
      repeat: "performed",
    }),
  );
  if (isAcknowledged(rotated)) {
    const next = { id: String(rotated.data["id"]), key: String(rotated.data["api_key"]) };
    for (const each of [{ id, key }, next]) {
      const used = await tryKey(client, each, client.random.pick(client.servers));
      client.requireStatus(used, `the key ${each.id} after its rotation`, 200);
    }
  }
  const revoked = await client.asOwner(remove("revokeApiKey", `/api-keys/${id}`, id));
  if (!isAcknowledged(revoked)) {
    return;
  }
  client.revokedKeys.push({ id, key });
  for (const at of client.servers) {
    await tryKey(client, { id, key }, at);
  }
}

/** Tries out a key that was revoked. The checker knows when. */
export async function tryRevokedKey(client: AdminClient): Promise<void> {
  if (client.revokedKeys.length > 0) {
    await tryKey(
      client,
      client.random.pick(client.revokedKeys),
      client.random.pick(client.servers),
    );
  }
}

function tryKey(client: AdminClient, { id, key }: { id: string; key: string }, at: string) {
  const ask = { ...read("use_key", "/card-integrators/me"), target: id, at };
  return client.as({ Authorization: `Bearer ${key}` }, ask);
}
