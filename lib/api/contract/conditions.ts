/** Conditions of JSON Schema, for rules between the members of a body. */

export type Condition = object;

/** Requires the rule wherever the condition holds. */
export function when(condition: Condition, rule: Condition) {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
  return { if: condition, then: rule };
}

/** The conditions on one body. Some tools that check examples require each condition to know all members. */
export class Conditions<Name extends string> {
  private readonly properties: Readonly<Record<string, object>>;

  constructor(members: readonly Name[]) {
    this.properties = Object.fromEntries(members.map((name) => [name, {}]));
  }

  sent(name: Name): Condition {
    return { properties: this.properties, required: [name] };
  }

  unsent(name: Name): Condition {
    return { properties: this.properties, not: this.sent(name) };
  }

  /** The member has one of these values, or is not sent. */
  among(name: Name, values: readonly unknown[]): Condition {
    return this.fits(name, { enum: values });
  }

  /** The member fits a schema, or is not sent. */
  fits(name: Name, schema: object): Condition {
    return { properties: { ...this.properties, [name]: schema } };
  }
}
