import { QueryClient } from "@tanstack/react-query";
import { isLost, OfflineError } from "#lib/api/client.ts";

const RETRIES_MAX = 2;

/**
 * Requests as the pages make them: at once, or they fail. By default the library holds back what is asked for while the
 * browser is offline and sends it on reconnecting, when whoever asked may have given up long ago.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          isLost(error) && !(error instanceof OfflineError) && failures < RETRIES_MAX,
      },
    },
  });
}
