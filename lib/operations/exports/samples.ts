export const toFile = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join("");

export const STATEMENT_COLUMNS =
  "version,posted_date,description,net,balance_after,currency,posted_at,kind,last4,merchant_name,narrative,card_id,transaction_id,transfer_id,request_id,occurred_at";
