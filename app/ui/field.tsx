"use client";

import { useId } from "react";
import type { Elements } from "./elements.ts";

/** The errors of a field; undefined without any. */
export type Complaint = string | readonly string[] | undefined;

/** The complaint as one text. */
export function toComplaint(error: Complaint): string | undefined {
  return typeof error === "string" ? error : error?.join(" ");
}

export interface FieldProps {
  label: string;
  error?: Complaint;
  /** Shown unless there is an error. */
  description?: string | undefined;
  isRequired?: boolean | undefined;
  /** Whether only screen readers have its label. */
  isLabelHidden?: boolean | undefined;
}

/** The attributes that connect a control to its label and to the text below it. */
interface ControlProps {
  id: string;
  required: boolean;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

/** A control with its label above, and its description or error below. */
export function Field({
  label,
  error,
  description,
  isRequired = false,
  isLabelHidden = false,
  children,
}: FieldProps & { children: (control: ControlProps) => Elements }) {
  const id = useId();
  const isWrong = error !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <label
        className={isLabelHidden ? "sr-only" : "label"}
        data-required={isRequired || undefined}
        htmlFor={id}
      >
        {label}
      </label>
      {children({
        id,
        required: isRequired,
        "aria-invalid": isWrong,
        "aria-describedby": isWrong || description !== undefined ? `${id}-note` : undefined,
      })}
      <FieldNote description={description} error={error} id={`${id}-note`} />
    </div>
  );
}

/** The error of a field, or else its description. Renders nothing without either. */
export function FieldNote({
  id,
  error,
  description,
}: Pick<FieldProps, "error" | "description"> & { id: string }) {
  const problem = toComplaint(error);
  const note = problem ?? description;
  return (
    note !== undefined && (
      <p className={problem === undefined ? "hint" : "field-error"} id={id}>
        {note}
      </p>
    )
  );
}
