/**
 * Descriptions of members that mean the same in every object. A member without a description of its own gets the one
 * for its name. A name that means something else in each object, such as `status`, is described where it is declared.
 */
export const GLOSSARY = {
  actor: "Who caused this: an API key, a member of staff, the card network, or the server itself.",
  allow_partial:
    "Whether to approve what is available if the card has too little for the whole amount, and nothing else is wrong.",
  approval: "What waits until somebody else approves it.",
  api_version:
    "The version of requests without an Api-Version header, and of events. Webhooks follow it too.",
  authorization_id:
    "For a further capture, a capture that came before its authorization, or a declined increment: the authorization. Null for anything else, and until the authorization has arrived.",
  available:
    "What can be spent now, in minor units of currency: the balance minus what open authorizations hold.",
  business_address: "The postal address of the business; empty until it is set.",
  business_name: "The name of the business.",
  card_color: "The color of the drawn cards, as #rrggbb; null to follow each card's design_type.",
  card_id: "The id of the card.",
  city: "The city; null for a merchant that sent none.",
  comment: "A note in your own words, at most 255 characters; null without one.",
  contact_number: "The phone number of the business; empty until it is set.",
  country: "The country: an ISO 3166-1 code such as US, or an English name. Stored as alpha-2.",
  cover_of:
    "For cover of a purchase, or cover given back: the id of the purchase. Null or absent for anything else.",
  created_at: "When this was created.",
  currency: "The currency, as the three upper-case letters of its ISO 4217 code.",
  cursor: "The next_cursor of the page before this one. Omit it for the first page.",
  data: "The answer: one object, or the rows of a list.",
  design_type:
    "The look of the drawn card: midnight, sand, forest, or coral. Any other text is kept, and drawn as one of these.",
  domain: "The host name or URL of the business's website; empty until it is set.",
  email: "The person's email address.",
  environment: "The kind of the account: sandbox, where money is simulated, or live.",
  event: "The name of the event, such as card.frozen.",
  explanation: "The failure in words; null if there was none.",
  first_name: "The person's first name.",
  float_currencies: "The currency of the float and of all cards, as a list of exactly one code.",
  id: "The id of this object: a UUID that never changes.",
  id_type: "The kind of identity document, in your own words, such as passport.",
  increment_of:
    "For an increment that is a transaction of its own, because it was declined or its authorization had ended: that authorization. Null for anything else.",
  last_name: "The person's last name.",
  line1: "The first line of the street address.",
  line2: "The second line of the street address; null without one.",
  link: "The one-time link, which is shown only here. Send it to the person yourself.",
  low_balance_threshold:
    "The float is low below this, in minor units: float.low-balance is sent when it falls below, and float.recovered when it is back. Null to never send either.",
  merchant: "The merchant, as it describes itself; null where there is none.",
  merchant_amount:
    "What the merchant asked for in its own currency, in that currency's minor units, while amount is what is billed to the card. Null or absent if only the amount billed is known.",
  merchant_currency:
    "The currency of merchant_amount, as the letters of its ISO 4217 code; null without one.",
  message: "Ok, for clients that expect a message.",
  metadata: "Your own keys and values, all of them text: at most 20 keys and 4,096 bytes in total.",
  method: "The HTTP method.",
  narrative:
    "The merchant's text of a purchase, or the text sent with a credit or debit; null without one.",
  next_cursor: "Send it as cursor for the next page. Null on the last page.",
  occurred_at:
    "When it happened by the card network's clock; null if the network did not say. Deadlines, statements, and order follow ours.",
  operation: "The operation, by its operationId in this document; null for a path that has none.",
  page: "The number of the page, from 1.",
  password: "The new password.",
  path: "The path of the request, from /api on, without its query.",
  phone_number: "The phone number, as it was given.",
  program_name: "The name on the drawn cards; null for the business name.",
  registration_number: "The business's number in its register; empty until it is set.",
  requested_by: "Who asked.",
  request_id: "The X-Request-Id of the request that caused this.",
  requested_amount:
    "What was asked for, in minor units, when an authorization was approved only in part. Null for anything else.",
  role: "What the person may do: owner, admin, operator, or viewer.",
  scopes: "What the key may do: each operation in this document names the scope that it needs.",
  single_use:
    "Whether the card is for one purchase: it closes once that has settled and nothing is held anymore, and declines others meanwhile.",
  suffix: "The last four characters of the key.",
  time_zone:
    "The time zone of the dashboard and of the times in exports: UTC, or an IANA name such as America/New_York. Times in API responses, and days in filters, are in UTC.",
  updated_at: "When this last changed.",
  user_id: "The id of the cardholder.",
  user_photo:
    "Where the cardholder's photo is, such as a URL; null without one. The server only keeps it.",
  webhook_url: "The URL to which events are sent; null while none are sent.",
  zip_code: "The postal code; null without one.",
} satisfies Record<string, string>;

/**
 * The `state` of an address, in requests and in answers. Other members named `state` are described where they are
 * declared.
 */
export const REGION = "The state, province, or region; null without one.";
