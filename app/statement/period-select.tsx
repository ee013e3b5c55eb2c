"use client";

import { useRouter } from "next/navigation";
import { NativeSelect } from "../ui/native-select.tsx";
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
    <NativeSelect
      isLabelHidden
      label="Period"
      onChange={(id) => router.push(toHref(path, { [unit]: id }))}
      options={options}
      value={value}
    />
  );
}
