"use client";

import { Search, X } from "lucide-react";
import type { ComponentProps } from "react";
import { useEarlyInput } from "./use-early-input.ts";

/** A search field, cleared by its button or Escape. */
export function SearchField({
  label,
  placeholder,
  className = "",
  value,
  onChange,
  ...native
}: {
  label: string;
  placeholder: string;
  className?: string;
  value: string;
  onChange: (text: string) => void;
} & Pick<ComponentProps<"input">, "autoFocus">) {
  const input = useEarlyInput<HTMLInputElement>(value, onChange);
  const clear = () => {
    onChange("");
    input.current?.focus();
  };
  return (
    <div className={`input input-group h-9.5 ${className}`}>
      <Search aria-hidden />
      <input
        {...native}
        aria-label={label}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key }) => key === "Escape" && value !== "" && onChange("")}
        placeholder={placeholder}
        ref={input}
        type="search"
        value={value}
      />
      {/* Escape does the same for people who use the keyboard. */}
      <button
        aria-label="Clear search"
        className={`text-muted hover:bg-default -me-1 cursor-pointer rounded-sm p-1 ${value === "" ? "invisible" : ""}`}
        onClick={clear}
        tabIndex={-1}
        type="button"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
