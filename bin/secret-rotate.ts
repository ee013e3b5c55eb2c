import { rotateSecret } from "#lib/operator/secret-rotation.ts";
import { onInstallation } from "./command.ts";
import type { Command, Result } from "./command.ts";
import type { Installation } from "./installation.ts";

/** The command that ends the need for the older secrets of FLOATDECK_SECRET. */
export const SECRET_ROTATE: Command = {
  words: ["secret", "rotate"],
  summary:
    "Seal everything anew that an older secret has sealed; exits with 1 while older secrets are needed",
  options: {},
  run: onInstallation(rotate),
};

async function rotate({ db }: Installation): Promise<Result> {
  const { sealed, unreadable, waitingFor } = await rotateSecret(db);
  const total = Object.values(sealed).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(sealed).map(([what, count]) => `${what} ${count}`);
  const lines = [
    `Sealed ${total} ${total === 1 ? "value" : "values"} anew: ${parts.join(", ")}.`,
    ...(unreadable === 0
      ? []
      : [
          `No listed secret opens ${unreadable} other ${unreadable === 1 ? "value" : "values"}: they were changed, or their secret was lost before. Restore these rows from a backup.`,
        ]),
    waitingFor === null
      ? "Only the first secret of FLOATDECK_SECRET is needed now. Remove the others."
      : `The older secrets are still needed by ${waitingFor}. Start it with the first secret of this list first in its own, and run this again.`,
  ];
  return {
    ok: waitingFor === null && unreadable === 0,
    text: lines.join("\n"),
    json: { sealed, unreadable, older_secrets_needed: waitingFor !== null },
  };
}
