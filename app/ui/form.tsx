import type { ComponentProps } from "react";

/**
 * A form that a script submits. Until the script has loaded, submitting does nothing because of the form's method;
 * any other method would reload the page and lose what was typed.
 */
export function Form(props: ComponentProps<"form">) {
  return <form {...props} method="dialog" />;
}
