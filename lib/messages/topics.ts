export const TOPIC_NAMES = ["float", "webhooks", "cards", "jobs", "approvals"] as const;

export type Topic = (typeof TOPIC_NAMES)[number];

/** The messages that people can switch off. All others are about sign-ins, access, or suspended spending. */
export const TOPICS: Readonly<Record<Topic, string>> = {
  float: "The float is low or owes money, and when it no longer does",
  webhooks: "A webhook endpoint fails for an hour, works again, or is switched off",
  cards: "A card is frozen by a rule or by compliance, or keeps declining purchases",
  jobs: "A bulk job of yours ends with refusals",
  approvals: "Somebody asks for your approval, or decides what you asked for",
};
