/** The fields of a message by number, in order: numbers of any width, and bytes. */
export type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Reads a message of Protocol Buffers without its schema. @throws Error for a wire type that does not exist. */
export function readMessage(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  const readBytes = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  const readValue = (type: number) => {
    switch (type) {
      case VARINT:
        return readVarint();
      case FIXED_64:
        return readBytes(8).readBigUInt64LE();
      case BYTES:
        return readBytes(Number(readVarint()));
      case FIXED_32:
        return BigInt(readBytes(4).readUInt32LE());
      default:
        throw new Error(`${type} is not a wire type.`);
    }
  };
  while (at < message.length) {
    const tag = Number(readVarint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, [...values, readValue(tag & 7)]);
  }
  return fields;
}

/** The messages, texts, or other bytes in a field. */
export function bytesIn(fields: Fields, number: number): readonly Buffer[] {
  return (fields.get(number) ?? []).filter((value) => typeof value !== "bigint");
}

/** The first number in a field; 0 without one, as Protocol Buffers leaves zeros out. */
export function numberIn(fields: Fields, number: number): bigint {
  const [value] = fields.get(number) ?? [];
  return typeof value === "bigint" ? value : 0n;
}
