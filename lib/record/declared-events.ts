// Written by npm run generate.

/** Every event that an integrator can be notified of, and when it is sent. */
export const EVENTS = {
  "bulk.completed": "A bulk job has ended, completed or canceled.",
  "card.created": "A card was created.",
  "card.updated": "A card's metadata or spending controls changed.",
  "card.frozen": "A card was frozen, or a frozen card was given another freeze, reason, or end.",
  "card.unfrozen": "No freeze of a card stands any more.",
  "card.closed": "A card was closed permanently.",
  "card.credited": "Funds moved from the float to a card, or covered a purchase that the card could not pay.",
  "card.debited": "Funds moved from a card to the float, or what had covered a purchase was given back.",
  "card.transaction": "A purchase, an authorization, an increment, or a verification was approved, an authorization was captured, or a refund was taken back.",
  "card.reverse-transaction": "A purchase was refunded or taken back, or a hold was released.",
  "card.transaction-declined": "A purchase, an authorization, an increment, or a verification was declined.",
  "card.cover-outstanding": "A card with cover outstanding received a refund without a purchase.",
  "float.topped-up": "Funds were added to the float.",
  "float.low-balance": "The float is below the account's threshold.",
  "float.recovered": "The float is back at or above the account's threshold.",
  "float.deficit": "The card network posted a purchase that neither its card nor the float could pay in full.",
  "float.deficit-repaid": "The float received funds and repaid its deficit, in full or in part.",
  "integrator.updated": "Account information or settings changed.",
  "user.kyc-verification": "A cardholder was registered, or verified later.",
  "user.updated": "A cardholder's details changed.",
  "user.archived": "A cardholder was archived and can get no new cards.",
  "user.unarchived": "A cardholder can get cards again.",
  "user.erased": "A cardholder is being erased: no request stores or changes their personal data any more.",
  "webhook.test": "A test event was requested.",
} as const;
