/** A function or class with the name that it has for its users: minified code would print another one. */
export function named<Named extends object>(name: string, it: Named): Named {
  return Object.defineProperty(it, "name", { value: name });
}
