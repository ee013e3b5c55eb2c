import type { ComponentProps } from "react";

/**
 * A form that a script submits. Until the script has loaded, its method makes submitting it do nothing; any other
 * method would reload the page without what was typed.
 */
export function Form(props: ComponentProps<"form">) {
  return <form {...props} method="dialog" />;
}
