"use client";

import { useRouter } from "next/navigation";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";

/** Creates a bulk job, and shows its page. */
export function useBulkJob() {
  const router = useRouter();
  return useOperation(OPERATIONS.createBulkJob, ({ data }) =>
    router.push(`/cards/bulk/${data.id}`),
  );
}
