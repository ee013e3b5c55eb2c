import { IDS } from "#lib/api/contract/samples.ts";

const AT = "2026-11-21T07:56:40.105Z";

export const VIEW = {
  id: IDS.view,
  list: "cards",
  name: "Frozen, oldest first",
  query: "status=frozen&order=oldest",
  shared: false,
  is_mine: true,
  created_by: "Ada Winter",
  created_at: AT,
  updated_at: AT,
};
