import { BODY_LIMITS, LARGE_BODY_LIMITS } from "#lib/api/edge/limited-body.ts";
import type { BodyLimits } from "#lib/api/edge/limited-body.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";

/** How much a body of this operation may hold. */
export function toBodyLimits({ large }: Pick<Operation, "large">): BodyLimits {
  return large ? LARGE_BODY_LIMITS : BODY_LIMITS;
}

/** Like `toBodyLimits`, from a request's address alone, before anything else about it is known. */
export function findBodyLimits(method: string, url: string): BodyLimits {
  const [path] = url.split("?", 1);
  const found = OPERATIONS.find((each) => each.method === method && `/api${each.path}` === path);
  return toBodyLimits(found ?? { large: false });
}
