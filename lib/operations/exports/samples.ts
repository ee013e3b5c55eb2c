export const toFile = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join("");
