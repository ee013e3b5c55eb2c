import { expect, vi } from "vitest";
import { rig } from "./each-rig.ts";

/** A page that needs neither a session nor the database. */
export function loadPage(): Promise<Response> {
  return fetch(new URL("/sign-in", rig.baseUrl), { headers: { accept: "text/html" } });
}

export async function untilPagesAnswer(withinMs: number): Promise<void> {
  await vi.waitFor(async () => expect((await loadPage()).status).toBe(200), {
    timeout: withinMs,
    interval: 200,
  });
}
