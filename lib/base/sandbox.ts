import { eq } from "drizzle-orm";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { integrators } from "#db/schema/integrators.ts";

/** The refusal of an operation that only simulates something. */
export function sandboxOnly(): DomainError {
  return new DomainError("sandbox_only", "This operation exists in sandbox only.");
}

/** @throws DomainError `sandbox_only` unless the owner belongs to a sandbox. */
export function requireSandboxOf(owner: { environment: "sandbox" | "live" } | undefined): void {
  if (owner?.environment !== "sandbox") {
    throw sandboxOnly();
  }
}

/** @throws DomainError `sandbox_only` for a live integrator, whatever environment the server was started in. */
export async function requireSandbox({ tx, actor }: WriteContext): Promise<void> {
  const [row] = await tx
    .select({ environment: integrators.environment })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId));
  requireSandboxOf(row);
}
