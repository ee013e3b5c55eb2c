import type { Elements } from "./elements.ts";

interface OptionProps {
  isSelected: boolean;
  isDisabled?: boolean;
  onChange: (isSelected: boolean) => void;
  className?: string;
  children: Elements | string;
}

/** A checkbox whose words can be clicked, too. */
export function Checkbox(props: OptionProps) {
  return <Option {...props} kind="checkbox" />;
}

/** A setting that is on or off, and takes effect at once unless it is part of a form. */
export function Switch(props: OptionProps) {
  return <Option {...props} kind="switch" />;
}

function Option({
  isSelected,
  isDisabled = false,
  onChange,
  className = "",
  children,
  kind,
}: OptionProps & { kind: "checkbox" | "switch" }) {
  return (
    <label className={`option ${className}`}>
      <input
        checked={isSelected}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
        role={kind}
        type="checkbox"
      />
      <span className="min-w-0 grow">{children}</span>
    </label>
  );
}
