/** A value of a request in a scenario. Its strings may be or contain expressions. */
export type Value = string | number | boolean | null | readonly Value[] | { [name: string]: Value };

/** One request of a scenario, its expectations of the response, and the outputs it keeps. */
export interface ScenarioStep {
  id: string;
  description: string;
  /** Whether it only makes the account that the scenario then uses. */
  isSetUp: boolean;
  /** The operation's id in the contract. */
  operation: string;
  method: string;
  /** Relative to `/api`. */
  path: string;
  parameters: readonly StepParameter[];
  /** Undefined when the request has no body. */
  body?: Value;
  /** Conditions that the response must all satisfy. */
  criteria: readonly string[];
  retry: StepRetry | null;
  /** The outputs that later steps use: an expression by name. Names are unique in a scenario. */
  outputs: Readonly<Record<string, string>>;
}

export interface StepParameter {
  in: "path" | "query" | "header";
  name: string;
  value: Value;
}

/** How often a step is repeated while its criteria are not satisfied. */
export interface StepRetry {
  afterS: number;
  limit: number;
}

/** A behavior of the product that people read and programs run. Plain JSON: a page sends it to the browser. */
export interface Scenario {
  /** The file's name without its ending, as in the URL of its page. */
  name: string;
  title: string;
  summary: string;
  description: string;
  steps: readonly ScenarioStep[];
}
