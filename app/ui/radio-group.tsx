import { useId } from "react";
import { FieldNote } from "./field.tsx";
import type { FieldProps } from "./field.tsx";

/** One of a few options, all of them visible. */
export function RadioGroup<Id extends string>({
  label,
  error,
  description,
  options,
  value,
  onChange,
}: Pick<FieldProps, "label" | "error" | "description"> & {
  options: readonly { id: Id; name: string }[];
  /** Null while none is chosen. */
  value: Id | null;
  onChange: (id: Id) => void;
}) {
  const id = useId();
  return (
    <fieldset aria-describedby={id}>
      <legend className="label">{label}</legend>
      <FieldNote description={description} error={error} id={id} />
      <div className="mt-2 flex flex-col gap-2">
        {options.map((option) => (
          <label className="option" key={option.id}>
            <input
              checked={option.id === value}
              name={id}
              onChange={() => onChange(option.id)}
              type="radio"
            />
            <span className="min-w-0">{option.name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
