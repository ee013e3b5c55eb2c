import { QueryClient } from "@tanstack/react-query";
import { isLost, OfflineError } from "#lib/api/client.ts";

const RETRIES_MAX = 2;

/**
 * Requests are sent immediately or fail. By default, the library holds requests back while the browser is offline and
 * sends them on reconnecting, when the person may have given up long ago.
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
