import type { Entries } from "#lib/api/reference/entry.ts";
import { ADDRESS, IDS, USER } from "#lib/api/reference/samples.ts";

export const CARDHOLDERS: Entries = {
  registerUser: {
    description:
      "The id in the path is the account's own. Only the last four characters of id_number are stored.",
    example: {
      id: IDS.integrator,
      body: {
        address: ADDRESS,
        email: "kofi@example.com",
        first_name: "Kofi",
        last_name: "Mensah",
        id_number: "A1234567",
        id_type: "passport",
        phone_number: "+233200000000",
      },
      answer: { data: USER },
    },
  },
  listUsers: {
    description: "Page by number, with the total of what matches.",
    example: {
      query: { search: "i", limit: "15" },
      answer: { data: [USER], page: 1, total: 1, total_pages: 1 },
    },
  },
  getUser: {
    description: "A cardholder, archived or not.",
    example: { id: IDS.user, answer: { data: USER } },
  },
  updateUser: {
    description:
      "Members that the request omits keep their values; an address is replaced as a whole. Cards keep the name that they were issued with.",
    example: {
      id: IDS.user,
      body: { phone_number: "+233200000001" },
      answer: { data: { ...USER, phone_number: "+233200000001" } },
    },
  },
  archiveUser: {
    description: "The cardholder keeps their history and their email.",
    example: { id: IDS.user, answer: { data: { ...USER, archived: true } } },
  },
  unarchiveUser: {
    description: "The opposite of archiving.",
    example: { id: IDS.user, answer: { data: USER } },
  },
};
