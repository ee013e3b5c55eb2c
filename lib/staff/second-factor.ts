import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { requireStaff } from "#lib/base/require-scope.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { tellSecondFactorChanged } from "#lib/staff/internal/security-notices.ts";
import { endSessions } from "#lib/staff/staff-sessions.ts";
import { NOW } from "#db/schema/columns.ts";
import { recoveryCodes, staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * RFC 6238 with the parameters every authenticator app supports: SHA-1, six digits, 30 s. One step either way
 * tolerates a slow clock.
 */
const PERIOD_S = 30;
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;

type Person = typeof staff.$inferSelect;

function toTotp(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: "Floatdeck",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });
}

/**
 * Consumes an authenticator code or a recovery code, in the transaction of the action it authorizes. No code
 * is accepted twice.
 */
export async function takeCode(tx: Tx, person: Person, code: string): Promise<boolean> {
  const typed = code.replaceAll(/[\s-]/gu, "").toLowerCase();
  return /^[0-9]{6}$/u.test(typed)
    ? takeTimedCode(tx, person, typed)
    : takeRecoveryCode(tx, person, typed);
}

async function takeTimedCode(tx: Tx, person: Person, code: string): Promise<boolean> {
  if (!person.totpSecret) {
    return false;
  }
  const totp = toTotp(unseal(person.totpSecret, "second factor", person.id), person.email);
  const timestamp = (await readMoment(tx)).at.getTime();
  const delta = totp.validate({ token: code, window: WINDOW_STEPS, timestamp });
  if (delta === null) {
    return false;
  }
  const step = Math.floor(timestamp / 1_000 / PERIOD_S) + delta;
  const taken = await tx
    .update(staff)
    .set({ totpStep: step })
    .where(
      and(
        eq(staff.integratorId, person.integratorId),
        eq(staff.id, person.id),
        or(isNull(staff.totpStep), lt(staff.totpStep, step)),
      ),
    )
    .returning({ id: staff.id });
  return taken.length === 1;
}

async function takeRecoveryCode(tx: Tx, person: Person, code: string): Promise<boolean> {
  const taken = await tx
    .update(recoveryCodes)
    .set({ usedAt: NOW })
    .where(
      and(
        eq(recoveryCodes.integratorId, person.integratorId),
        eq(recoveryCodes.staffId, person.id),
        eq(recoveryCodes.hash, hashCode(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ hash: recoveryCodes.hash });
  return taken.length === 1;
}

/**
 * 120 random bits, without letters that look like digits: enough that a stolen hash reveals no code (NIST SP 800-63B
 * requires 112 for fast, unsalted hashes).
 */
function newRecoveryCode(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  return Array.from(randomBytes(24), (byte) => letters.charAt(byte % 32)).join("");
}

function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

/**
 * Starts setting up a second factor; a new start replaces an unconfirmed one.
 * @returns the secret for an authenticator app, as base32 and as the URI for its QR code.
 * @throws DomainError `second_factor_exists`.
 */
export async function beginSecondFactor(
  ctx: WriteContext,
): Promise<{ secret: string; uri: string }> {
  const person = await lockSelf(ctx);
  if (person.totpConfirmedAt) {
    throw new DomainError(
      "second_factor_exists",
      "Two-factor authentication is already on. Remove it before you set it up again.",
    );
  }
  const secret = new Secret({ size: 20 }).base32;
  await updateSelf(ctx, { totpSecret: seal(secret, "second factor", person.id), totpStep: null });
  await audit(ctx, "staff.second_factor_begun");
  return { secret, uri: toTotp(secret, person.email).toString() };
}

/**
 * Confirms the second factor with its first code. From then on every sign-in requires a code. Other sessions
 * end.
 * @returns ten recovery codes, shown only this once.
 * @throws DomainError `validation_failed` on `code`.
 */
export async function enableSecondFactor(ctx: WriteContext, code: string): Promise<string[]> {
  const person = await lockSelf(ctx);
  if (person.totpConfirmedAt || !person.totpSecret || !(await takeCode(ctx.tx, person, code))) {
    const sentence = "Incorrect code. Enter the code that your app shows now.";
    throw new DomainError("validation_failed", sentence, { code: [sentence] });
  }
  await updateSelf(ctx, { totpConfirmedAt: NOW });
  const codes = await replaceRecoveryCodes(ctx.tx, person);
  await endSessions(ctx.tx, person, requireStaff(ctx.actor).sessionId);
  await audit(ctx, "staff.second_factor_enabled");
  await tellSecondFactorChanged(ctx.tx, person, { isOn: true, request: ctx.request });
  return codes;
}

/** Removes the second factor and its recovery codes; does nothing when there is none. */
export async function disableSecondFactor(ctx: WriteContext): Promise<void> {
  const person = await lockSelf(ctx);
  if (!person.totpSecret) {
    return;
  }
  await updateSelf(ctx, { totpSecret: null, totpConfirmedAt: null, totpStep: null });
  await deleteRecoveryCodes(ctx.tx, person);
  await audit(ctx, "staff.second_factor_disabled");
  if (person.totpConfirmedAt) {
    await tellSecondFactorChanged(ctx.tx, person, { isOn: false, request: ctx.request });
  }
}

async function replaceRecoveryCodes(tx: Tx, person: Person): Promise<string[]> {
  await deleteRecoveryCodes(tx, person);
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await tx.insert(recoveryCodes).values(
    codes.map((code) => ({
      integratorId: person.integratorId,
      staffId: person.id,
      hash: hashCode(code),
    })),
  );
  return codes.map((code) => code.match(/.{6}/gu)?.join("-") ?? code);
}

async function deleteRecoveryCodes(tx: Tx, person: Person): Promise<void> {
  await tx
    .delete(recoveryCodes)
    .where(
      and(
        eq(recoveryCodes.integratorId, person.integratorId),
        eq(recoveryCodes.staffId, person.id),
      ),
    );
}

async function lockSelf({ tx, actor }: WriteContext): Promise<Person> {
  const { id } = requireStaff(actor);
  const [person] = await tx
    .select()
    .from(staff)
    .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, id)))
    .for("update");
  if (!person) {
    throw new Error("A signed-in staff member has no row.");
  }
  return person;
}

async function updateSelf(
  { tx, actor }: WriteContext,
  changes: {
    totpSecret?: string | null;
    totpConfirmedAt?: SQL | null;
    totpStep?: null;
  },
): Promise<void> {
  await tx
    .update(staff)
    .set({ ...changes, updatedAt: NOW })
    .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, requireStaff(actor).id)));
}

async function audit(ctx: WriteContext, action: AuditAction): Promise<void> {
  await recordAudit(ctx.tx, ctx.actor.integratorId, [
    {
      actor: ctx.actor.ref,
      request: ctx.request,
      action,
      targetType: "staff",
      targetId: requireStaff(ctx.actor).id,
      before: null,
      after: null,
    },
  ]);
}
