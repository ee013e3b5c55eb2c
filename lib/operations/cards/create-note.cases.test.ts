import { send } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import { createNote } from "#lib/operations/cards/create-note.ts";

export const operation = createNote;

export const cases: Cases<typeof createNote> = {
  transaction_not_found: (scene) =>
    send(scene, "createNote", { body: { transaction_id: newId() } }),
};
