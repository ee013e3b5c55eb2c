"use client";

import { inputVariants } from "@heroui/styles";
import { useEffect, useId } from "react";
import type { RefObject } from "react";
import { useEarlyInput } from "./use-early-input.ts";

export interface NativeSelectProps {
  label: string;
  options: readonly { id: string; name: string }[];
  /** The id of an option; any other text is listed as is. */
  value: string;
  onChange: (id: string) => void;
  error?: string | readonly string[] | undefined;
  /** Shown while nothing is chosen, which is refused. */
  placeholder?: string;
  autoComplete?: string;
  /** Whether only screen readers have its label. */
  isLabelHidden?: boolean;
  /** Takes the focus when it appears; otherwise, a dialog would focus itself. */
  autoFocus?: boolean;
}

/** The browser's own select, for hundreds of options: typed letters find one, and phones show their own list. */
export function NativeSelect({
  label,
  options,
  value,
  onChange,
  error,
  placeholder,
  autoComplete,
  isLabelHidden = false,
  autoFocus = false,
}: NativeSelectProps) {
  const id = useId();
  const select = useEarlyInput<HTMLSelectElement>(value, onChange);
  useFocused(select, autoFocus);
  const isRequired = placeholder !== undefined;
  const problem = typeof error === "string" ? error : error?.join(" ");
  return (
    <div className="flex flex-col gap-1">
      <label
        className={`${isRequired ? "label label--required" : "label"} ${isLabelHidden ? "sr-only" : ""}`}
        htmlFor={id}
      >
        {label}
      </label>
      <select
        {...(problem === undefined
          ? {}
          : { "aria-describedby": `${id}-error`, "aria-invalid": true, "data-invalid": "true" })}
        aria-required={isRequired}
        autoComplete={autoComplete}
        className={inputVariants({ fullWidth: true })}
        id={id}
        onChange={(event) => onChange(event.target.value)}
        ref={select}
        value={value}
      >
        <Options options={options} placeholder={placeholder} value={value} />
      </select>
      {problem !== undefined && (
        <p className="text-danger text-xs" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function Options({
  options,
  placeholder,
  value,
}: Pick<NativeSelectProps, "options" | "value"> & { placeholder: string | undefined }) {
  const isListed =
    (placeholder !== undefined && value === "") || options.some(({ id }) => id === value);
  return (
    <>
      {placeholder !== undefined && (
        <option disabled value="">
          {placeholder}
        </option>
      )}
      {!isListed && <option value={value}>{value}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  );
}

function useFocused(select: RefObject<HTMLSelectElement | null>, isFocused: boolean): void {
  useEffect(() => {
    if (isFocused) {
      select.current?.focus();
    }
  }, [select, isFocused]);
}
