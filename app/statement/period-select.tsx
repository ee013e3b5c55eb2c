"use client";

import { useRouter } from "next/navigation";
import { Choice } from "../ui/choice.tsx";
import { toHref } from "../ui/pager.tsx";

/** The periods to choose from. Choosing one shows its statement. */
export function PeriodSelect({
  path,
  unit,
  value,
  options,
}: {
  path: string;
  unit: string;
  value: string;
  options: readonly { id: string; name: string }[];
}) {
  const router = useRouter();
  return (
    <Choice
      isLabelHidden
      label="Period"
      onChange={(id) => router.push(toHref(path, { [unit]: id }))}
      options={options}
      value={value}
    />
  );
}
