import { OPERATIONS } from "./operations.ts";
import { callApi } from "#lib/api/client.ts";

/**
 * The account's version, which changes with the account. Loaded on first use, because it pulls in the list of modules
 * that operations are loaded from.
 * @throws ApiProblem or another error, as `callApi` does.
 */
export async function readAccountVersion(signal?: AbortSignal): Promise<string> {
  return (await callApi(OPERATIONS.getAccountVersion, {}, signal ? { signal } : {})).version;
}
