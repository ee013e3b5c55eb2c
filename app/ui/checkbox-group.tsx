import { useId } from "react";
import { Checkbox } from "./checkbox.tsx";
import type { Elements } from "./elements.ts";
import { FieldNote } from "./field.tsx";
import type { FieldProps } from "./field.tsx";

/** Any number of a few options. The chosen ones are reported in the order of the options. */
export function CheckboxGroup<Id extends string>({
  label,
  error,
  description,
  options,
  value,
  onChange,
  className = "flex flex-col gap-3",
}: Pick<FieldProps, "label" | "error" | "description"> & {
  options: readonly { id: Id; name: Elements | string }[];
  value: readonly Id[];
  onChange: (ids: readonly Id[]) => void;
  className?: string;
}) {
  const id = useId();
  const chosen = new Set(value);
  const toggle = (one: Id) => {
    const next = chosen.symmetricDifference(new Set([one]));
    onChange(options.map((option) => option.id).filter((each) => next.has(each)));
  };
  return (
    <fieldset aria-describedby={id}>
      <legend className="label">{label}</legend>
      <FieldNote description={description} error={error} id={id} />
      <div className={`mt-2 ${className}`}>
        {options.map((option) => (
          <Checkbox
            isSelected={chosen.has(option.id)}
            key={option.id}
            onChange={() => toggle(option.id)}
          >
            {option.name}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
