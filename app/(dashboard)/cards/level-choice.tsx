import { Choice } from "../../ui/choice.tsx";
import { toLevelMeaning } from "#lib/cards/freeze-rights.ts";
import { FREEZE_LEVEL_NAMES, FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

const OPTIONS = FREEZE_LEVELS.map((id) => ({ id, name: FREEZE_LEVEL_NAMES[id] }));

/** Chooses the level of a freeze to make or to lift. */
export function LevelChoice({
  form,
}: {
  form: {
    values: { level: FreezeLevel };
    errors: Readonly<Record<string, readonly string[] | string>>;
    set: (name: "level", value: FreezeLevel) => void;
  };
}) {
  return (
    <Choice
      description={toLevelMeaning(form.values.level)}
      error={form.errors["level"]}
      label="Level"
      onChange={(level) => form.set("level", level)}
      options={OPTIONS}
      value={form.values.level}
    />
  );
}
