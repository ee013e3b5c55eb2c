"use client";

import { ChevronDown } from "lucide-react";
import { Button } from "react-aria-components/Button";
import { ComboBox } from "react-aria-components/ComboBox";
import type { ComboBoxProps } from "react-aria-components/ComboBox";
import { Group } from "react-aria-components/Group";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox } from "react-aria-components/ListBox";
import type { ListBoxProps } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Text } from "react-aria-components/Text";
import { toComplaint } from "./field.tsx";
import type { FieldProps } from "./field.tsx";
import { ListItem } from "./list-item.tsx";

const renderNothing = () => null;

interface Suggestion {
  id: string;
  name: string;
}

/** A labeled text field with a list that opens below it. */
export function SuggestingField({
  label,
  error,
  description,
  placeholder = "",
  isRequired = false,
  suggestions,
  renderEmptyState = renderNothing,
  onChange,
  ...comboBox
}: Pick<FieldProps, "label" | "error" | "description" | "isRequired"> &
  Pick<ListBoxProps<Suggestion>, "renderEmptyState"> &
  Omit<ComboBoxProps<Suggestion>, "children" | "isRequired"> & {
    placeholder?: string;
    suggestions: readonly Suggestion[];
  }) {
  const problem = toComplaint(error);
  return (
    <ComboBox
      {...comboBox}
      className="flex flex-col gap-1"
      isInvalid={problem !== undefined}
      isRequired={isRequired}
      onChange={(value) => {
        if (!isScrolling()) {
          onChange?.(value);
        }
      }}
    >
      <Label className="label" data-required={isRequired || undefined}>
        {label}
      </Label>
      <Group className="input input-group">
        <Input placeholder={placeholder} />
        <Button className="hover:bg-default -me-1 cursor-pointer rounded-sm p-0.5">
          <ChevronDown aria-hidden className="text-muted size-4" />
        </Button>
      </Group>
      {(problem ?? description) && (
        <Text
          className={problem === undefined ? "hint" : "field-error"}
          slot={problem === undefined ? "description" : "errorMessage"}
        >
          {problem ?? description}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="menu" renderEmptyState={renderEmptyState}>
          {suggestions.map((suggestion) => (
            <ListItem {...suggestion} key={suggestion.id} />
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/**
 * Whether something just scrolled. React Aria then closes the list and resets the field, as if the person had left. If the
 * field keeps its text, the list opens again at the field's new position.
 */
function isScrolling(): boolean {
  // React Aria calls back while the event is dispatched, and passes no event.
  return window.event?.type === "scroll";
}
