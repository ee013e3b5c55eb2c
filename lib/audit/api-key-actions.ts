import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";

export const API_KEY_ACTIONS: DeclaredActions = {
  "api_key.created": {
    title: "API key created",
    format: ({ who, subject }) => say`${who} created the API key ${subject}`,
  },
  "api_key.rotated": {
    title: "API key rotated",
    format: ({ who, subject }) => say`${who} rotated the API key ${subject}`,
  },
  "api_key.exempted": {
    title: "API key exempted",
    format: ({ who, subject }) => say`${who} exempted the API key ${subject} from approvals`,
  },
  "api_key.revoked": {
    title: "API key revoked",
    format: ({ who, subject }) => say`${who} revoked the API key ${subject}`,
  },
};
