import { Check } from "lucide-react";
import type { LucideIcon } from "lucide-react";

/** An item of a menu or a list box. */
export interface ItemProps {
  id: string;
  name: string;
  icon?: LucideIcon;
  /** More about it, or why it cannot be chosen. */
  detail?: string | null;
}

/** An item's icon, name, and detail, and a mark if it is chosen. */
export function ItemContent({
  name,
  icon: Icon,
  detail,
  isSelected,
}: Omit<ItemProps, "id"> & { isSelected: boolean }) {
  return (
    <>
      {Icon && <Icon aria-hidden className="text-muted" />}
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{name}</span>
        {detail && <span className="hint block">{detail}</span>}
      </span>
      {isSelected && <Check aria-hidden />}
    </>
  );
}
