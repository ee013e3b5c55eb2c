import { Empty } from "../ui/empty.tsx";
import { LinkButton } from "../ui/link-button.tsx";

export default function NotFound() {
  return (
    <Empty action={<LinkButton href="/cards">All cards</LinkButton>} isPage title="Not found">
      We couldn't find that page.
    </Empty>
  );
}
