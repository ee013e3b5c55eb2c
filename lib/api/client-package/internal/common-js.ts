/** What esbuild ends a module with. */
const EXPORTS = /export\{(?<names>[^}]+)\};\s*$/u;

/**
 * A module without imports, in the format that `require` loads. Node finds the names in an object like this one, so that they
 * can be imported too; what esbuild writes for them is longer by a fifteenth of the library.
 * @throws Error for a module without exports at its end.
 */
export function toCommonJs(module: string): string {
  const { names } = EXPORTS.exec(module)?.groups ?? {};
  if (names === undefined) {
    throw new Error("The module has no exports at its end.");
  }
  const members = names.split(",").map((each) => {
    const [local = "", name = local] = each.split(" as ");
    return `${name}:${local}`;
  });
  return `"use strict";${module.replace(EXPORTS, () => `module.exports={${members.join(",")}};`)}`;
}
