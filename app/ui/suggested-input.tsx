"use client";

import { ComboBox, Description, FieldError, Input, Label, ListBox } from "@heroui/react";

/**
 * A labeled text field with suggestions, which the arrow opens and any text overrides. Typing never opens them, so that
 * nothing covers the dialog around the field.
 */
export function SuggestedInput({
  label,
  value,
  suggestions,
  onChange,
  error,
  description,
}: {
  label: string;
  value: string;
  suggestions: readonly string[];
  onChange: (value: string) => void;
  error?: string | readonly string[] | undefined;
  description?: string;
}) {
  return (
    <ComboBox
      allowsCustomValue
      fullWidth
      inputValue={value}
      isInvalid={error !== undefined}
      menuTrigger="manual"
      onInputChange={onChange}
    >
      <Label>{label}</Label>
      <ComboBox.InputGroup>
        <Input />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      {description && error === undefined && <Description>{description}</Description>}
      <FieldError>{typeof error === "string" ? error : error?.join(" ")}</FieldError>
      <ComboBox.Popover>
        <ListBox>
          {suggestions.map((text) => (
            <ListBox.Item id={text} key={text} textValue={text}>
              <Label>{text}</Label>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}
