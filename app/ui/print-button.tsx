"use client";

import { Printer } from "lucide-react";
import { Button } from "./button.tsx";

/** Opens the browser's own dialog, which prints the page or saves it as a PDF. */
export function PrintButton({
  size = "md",
  onPress = print,
}: {
  size?: "sm" | "md";
  onPress?: () => void;
}) {
  return (
    <Button onPress={onPress} size={size} variant="secondary">
      <Printer aria-hidden />
      Print
    </Button>
  );
}

function print(): void {
  window.print();
}
