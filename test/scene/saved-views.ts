import { beforeEach, expect } from "vitest";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { newIntegrator } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { newStaff } from "./staff.ts";
import type { TestStaff } from "./staff.ts";

/** The account of each test, and its people. */
export let integrator: TestIntegrator;
export let owner: TestStaff;
export let operator: TestStaff;
export let viewer: TestStaff;

/** Before each test: an account with a person of each of these roles. */
export function usePeople(): void {
  beforeEach(prepare);
}

async function prepare(): Promise<void> {
  integrator = await newIntegrator();
  owner = await newStaff(integrator.id, "owner");
  operator = await newStaff(integrator.id, "operator");
  viewer = await newStaff(integrator.id, "viewer");
}

export const VIEW = {
  list: "cards",
  name: "Frozen",
  query: "status=frozen&order=oldest",
  shared: false,
};

export function ask({ headers }: TestStaff, line: string, body?: object): Promise<ApiReply> {
  return call(line, { headers, body });
}

/** What the answer says of a view. */
interface Answered {
  id: string;
  name: string;
  shared: boolean;
  is_mine: boolean;
}

export async function save(
  person: TestStaff,
  members: Partial<typeof VIEW> = {},
): Promise<Answered> {
  const { status, json, text } = await ask(person, "POST /views", { ...VIEW, ...members });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return (json as { data: Answered }).data;
}

export async function namesFor(person: TestStaff, list = "cards"): Promise<string[]> {
  const { json } = await ask(person, `GET /views?list=${list}`);
  return (json as { data: Answered[] }).data.map(({ name }) => name);
}

/** What a refusal says, by member or else in a sentence. */
export function toRefusal({ status, json }: ApiReply) {
  const { code, errors, detail } = json as { code: string; errors?: object; detail: string };
  return { status, code, says: errors ?? detail };
}
