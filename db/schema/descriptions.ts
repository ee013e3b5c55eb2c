/** Where a purchase was made, as the network says. */
export interface Merchant {
  name: string;
  mcc: string | null;
  city: string | null;
  country: string | null;
}

/** An authorization's description of a purchase that its clearing describes differently, as the API shows it. */
export interface AuthorizedAs {
  narrative: string | null;
  merchant: Merchant | null;
  as_received: Readonly<Record<string, string>> | null;
  merchant_amount: number | null;
  merchant_currency: string | null;
  occurred_at: string | null;
}
