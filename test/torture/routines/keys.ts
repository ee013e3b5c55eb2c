import { post, read, remove } from "../asks.ts";
import type { Desk } from "../desk.ts";
import { rowsOf } from "../desk.ts";
import { isAcknowledged } from "../history.ts";

/** Creates a key, uses it on every server, exempts it, replaces it by its rotation, and tries out what was revoked. */
export async function replaceKey(desk: Desk): Promise<void> {
  const marker = desk.newMarker();
  const body = { name: marker, scopes: ["account:read"], expires_in_days: null };
  const created = await desk.asOwner(
    post("createApiKey", "/api-keys", { body, marker, repeat: "performed" }),
  );
  const id = String(created.data["id"]);
  const key = String(created.data["api_key"]);
  if (!isAcknowledged(created)) {
    return;
  }
  const listed = await desk.asOwner(read("listApiKeys", "/api-keys"));
  desk.requireShown(listed, `key ${id}`, ({ data }) =>
    rowsOf(data).some((row) => row["id"] === id && row["revoked_at"] === null),
  );
  for (const at of desk.servers) {
    const used = await tryKey(desk, { id, key }, at);
    desk.requireStatus(used, `the new key ${id}`, 200);
  }
  await desk.asOwner(post("exemptApiKey", `/api-keys/${id}/exempt`, { target: id }));
  const rotated = await desk.asOwner(
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
      const used = await tryKey(desk, each, desk.random.pick(desk.servers));
      desk.requireStatus(used, `the key ${each.id} after its rotation`, 200);
    }
  }
  const revoked = await desk.asOwner(remove("revokeApiKey", `/api-keys/${id}`, id));
  if (!isAcknowledged(revoked)) {
    return;
  }
  desk.revokedKeys.push({ id, key });
  for (const at of desk.servers) {
    await tryKey(desk, { id, key }, at);
  }
}

/** Tries out a key that was revoked. The checker knows when. */
export async function tryRevokedKey(desk: Desk): Promise<void> {
  if (desk.revokedKeys.length > 0) {
    await tryKey(desk, desk.random.pick(desk.revokedKeys), desk.random.pick(desk.servers));
  }
}

function tryKey(desk: Desk, { id, key }: { id: string; key: string }, at: string) {
  const ask = { ...read("use_key", "/card-integrators/me"), target: id, at };
  return desk.as({ Authorization: `Bearer ${key}` }, ask);
}
