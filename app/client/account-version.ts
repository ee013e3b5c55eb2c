import { OPERATIONS } from "./operations.ts";
import { callApi } from "#lib/api/client.ts";

/**
 * The account's version, which changes with the account. Loaded when it is first needed, because it brings along where
 * each operation is loaded from.
 * @throws ApiProblem or another error, as `callApi` does.
 */
export async function readAccountVersion(signal?: AbortSignal): Promise<string> {
  return (await callApi(OPERATIONS.getAccountVersion, {}, signal ? { signal } : {})).version;
}
