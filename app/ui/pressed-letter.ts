/**
 * The letter of a key, as shortcuts name it. On a layout without Latin letters, such as Cyrillic or Greek, the key's
 * place decides: what is G on a US keyboard is G there too.
 */
export function toPressedLetter({ key, code }: { key: string; code: string }): string {
  const place = /^Key(?<letter>[A-Z])$/u.exec(code)?.groups?.["letter"];
  const isForeign = key.length === 1 && /\p{L}/u.test(key) && !/^[a-z]$/iu.test(key);
  return (isForeign && place ? place : key).toLowerCase();
}
