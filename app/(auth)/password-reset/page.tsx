import type { Metadata } from "next";
import { PasswordResetForm } from "./password-reset-form.tsx";

export const metadata: Metadata = { title: "Reset password" };

export default function PasswordResetPage() {
  return <PasswordResetForm />;
}
