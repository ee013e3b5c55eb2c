"use client";

import { useQuery } from "@tanstack/react-query";
import { OPERATIONS } from "./operations.ts";
import { callApi } from "#lib/api/client.ts";

export interface Option {
  id: string;
  name: string;
}

/** All merchant categories, which are loaded once; empty until then. */
export function useCategories(): { options: readonly Option[]; isError: boolean } {
  const { data, isError } = useQuery({
    queryKey: ["merchant-categories"],
    queryFn: ({ signal }) => callApi(OPERATIONS.listMerchantCategories, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ data: categories }) => categories.map(({ code, name }) => ({ id: code, name })),
  });
  return { options: data ?? [], isError };
}
