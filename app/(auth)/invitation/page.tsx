import type { Metadata } from "next";
import { InvitationForm } from "./invitation-form.tsx";

export const metadata: Metadata = { title: "Invitation" };

export default function InvitationPage() {
  return <InvitationForm />;
}
