"use client";

import { closeButtonVariants, searchFieldVariants } from "@heroui/styles";
import { Search, X } from "lucide-react";
import { useEarlyInput } from "./use-early-input.ts";

const styles = searchFieldVariants();

/** A search field, cleared by its button or Escape. Looks like the component library's, without its code. */
export function SearchField({
  label,
  placeholder,
  className,
  value,
  onChange,
}: {
  label: string;
  placeholder: string;
  className: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const input = useEarlyInput<HTMLInputElement>(value, onChange);
  const clear = () => {
    onChange("");
    input.current?.focus();
  };
  return (
    <div className={styles.base({ className })} data-empty={value === ""} data-slot="search-field">
      <div className={styles.group({ className: "min-w-0" })}>
        <Search aria-hidden className={styles.searchIcon()} data-slot="search-field-search-icon" />
        <input
          aria-label={label}
          className={styles.input({ className: "min-w-0 text-ellipsis" })}
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
          className={`${closeButtonVariants()} ${styles.clearButton()}`}
          data-slot="search-field-clear-button"
          onClick={clear}
          slot="clear"
          tabIndex={-1}
          type="button"
        >
          <X aria-hidden data-slot="close-button-icon" />
        </button>
      </div>
    </div>
  );
}
