import { textAlone } from "./text-alone.ts";

/** Our own rules for oxlint, which loads this file. */
const plugin = { meta: { name: "floatdeck" }, rules: { "text-alone": textAlone } };

export default plugin;
