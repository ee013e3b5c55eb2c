import type { ComponentProps } from "react";

/**
 * A form that a script sends. Until the script is there, sending it does nothing, because of its method: any other one would
 * load the page again, without what was typed.
 */
export function Form(props: ComponentProps<"form">) {
  return <form {...props} method="dialog" />;
}
