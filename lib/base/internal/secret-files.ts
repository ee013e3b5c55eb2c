import { readFileSync } from "node:fs";

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Adds the variables that are given as files, as orchestrators mount secrets: `DATABASE_URL_FILE` names the file of
 * `DATABASE_URL`. A newline at the end of a file is not part of the secret.
 * @param names of the variables that may be given as files.
 * @throws Error in one sentence when a variable is given twice, or its file cannot be read or is empty.
 */
export function readSecretFiles(source: Source, names: readonly string[]): Source {
  const read = names.flatMap((name) => {
    const file = source[`${name}_FILE`];
    if (file === undefined) {
      return [];
    }
    if (source[name] !== undefined) {
      throw new Error(`${name} and ${name}_FILE must not both be set.`);
    }
    return [[name, readSecret(`${name}_FILE`, file)] as const];
  });
  return { ...source, ...Object.fromEntries(read) };
}

function readSecret(variable: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${variable} names ${file}, which cannot be read.`, { cause: error });
  }
  const secret = text.replace(/\r?\n$/u, "");
  if (secret === "") {
    throw new Error(`${variable} names ${file}, which is empty.`);
  }
  return secret;
}
