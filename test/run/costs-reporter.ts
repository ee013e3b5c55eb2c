import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** What the tests and hooks of one file took. */
export interface Cost {
  file: string;
  ms: number;
}

/** Writes what each file cost to the file that TEST_COSTS names. The JSON report leaves out hooks. */
export default class CostsReporter implements Reporter {
  private readonly costs: Cost[] = [];

  onTestModuleEnd(module: TestModule): void {
    this.costs.push({ file: module.relativeModuleId, ms: module.diagnostic().duration });
  }

  onTestRunEnd(): void {
    writeFileSync(process.env["TEST_COSTS"] ?? "", JSON.stringify(this.costs));
  }
}
