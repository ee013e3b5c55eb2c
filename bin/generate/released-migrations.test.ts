import { assert, dictionary, property, string } from "fast-check";
import { expect, test } from "vitest";
import { addPins } from "./released-migrations.ts";

const files = dictionary(string({ minLength: 1 }), string({ minLength: 1 }));

test("a new migration is pinned, and a pinned one never changes or goes", () => {
  assert(
    property(files, files, (pinned, others) => {
      expect(addPins(pinned, { ...others, ...pinned })).toEqual({ ...others, ...pinned });
      for (const name of Object.keys(pinned)) {
        const { [name]: hash, ...rest } = pinned;
        const sentence = `db/migrations/${name} is released and must stay as it is`;
        expect(() => addPins(pinned, { ...pinned, [name]: `${hash}x` })).toThrow(sentence);
        expect(() => addPins(pinned, rest)).toThrow(sentence);
      }
    }),
  );
});
