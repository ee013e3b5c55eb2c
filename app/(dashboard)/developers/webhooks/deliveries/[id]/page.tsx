import type { Metadata } from "next";
import { Breadcrumb } from "../../../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../../../page/missing.tsx";
import { personalPage } from "../../../../../page/personal-page.tsx";
import { Live } from "../../../../../client/live.tsx";
import { DeliveryRecord } from "./delivery-record.tsx";
import { toLiveProps } from "./delivery-watch.ts";
import { findDelivery } from "./find-delivery.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

interface Props {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findDelivery((await params).id);
  return found ? { title: `${found.delivery.event} delivery · Webhooks` } : MISSING;
}

export default personalPage(DeliveryPage);

async function DeliveryPage(session: StaffSession, { params }: Props) {
  const found = await findDelivery((await params).id);
  if (!found) {
    return <Missing back={{ href: "/developers/webhooks", name: "Webhooks" }} noun="delivery" />;
  }
  return (
    <>
      <Live {...toLiveProps(found.delivery)} />
      <Breadcrumb list="/developers/webhooks" name="Webhooks">
        {found.delivery.event}
      </Breadcrumb>
      <DeliveryRecord found={found} heading="h1" role={session.actor.staff.role} />
    </>
  );
}
