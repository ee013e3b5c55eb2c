import type { StoredAutoFreeze } from "#db/schema/integrators.ts";

/** The setting of an account that made a freeze, as it was then, under its name in the API. */
export interface FreezeRule {
  auto_freeze: StoredAutoFreeze;
}
