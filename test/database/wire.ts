/** Messages of PostgreSQL's protocol, as a server sends them. */

/** The rows that answer a query, all of them text. */
export interface Answer {
  names: string[];
  rows: unknown[][];
}

/** The messages of a whole answer. */
export function toMessages({ names, rows }: Answer): Buffer[] {
  const fields = names.map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(25),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );
  return [
    message("T", Buffer.concat([int16(fields.length), ...fields])),
    ...rows.map((row) => message("D", Buffer.concat([int16(row.length), ...row.map(toValue)]))),
    message("C", Buffer.from("SELECT 1\0")),
  ];
}

function toValue(value: unknown): Buffer {
  const bytes = Buffer.from(String(value));
  return Buffer.concat([int32(bytes.length), bytes]);
}

/** A message of a type. */
export function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

/** A number of two bytes. */
export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

/** A number of four bytes. */
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** The server waits for the next query. */
export const READY = message("Z", Buffer.from("I"));
