import { listRoles, roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";

/** The members of a view that the rules below check. */
interface ViewCondition {
  shared: boolean;
  isMine: boolean;
}

/** Why somebody who sees a view may not do something with it; null if they may. */
type Rule<Part extends keyof ViewCondition> = (
  view: Pick<ViewCondition, Part>,
  role: Role,
) => string | null;

const PEOPLE = new Intl.ListFormat("en-US").format([
  "the person who made this view",
  ...listRoles("staff:manage"),
]);

/** A shared view belongs to everybody, so only some may change it. */
const ofManagers: Rule<"shared" | "isMine"> = ({ shared, isMine }, role) =>
  !shared || isMine || roleDisabledReason(role, "staff:manage") === null
    ? null
    : `Only ${PEOPLE} can do this.`;

/**
 * What a person may do with a view that they see. The domain refuses by these rules, and screens disable their controls by
 * them. Nobody needs a right for views of their own.
 */
export const viewCan: {
  /** Share a view of one's own: for every role that changes anything in the account. */
  share: (role: Role) => string | null;
  /** Change what it is called, or what it shows. */
  change: Rule<"shared" | "isMine">;
  /** Make a shared one private to its maker. */
  unshare: Rule<"isMine">;
  delete: Rule<"shared" | "isMine">;
} = {
  share: (role) => roleDisabledReason(role, "cards:write"),
  change: (view, role) => ofManagers(view, role) ?? (view.shared ? viewCan.share(role) : null),
  unshare: ({ isMine }) => (isMine ? null : "Only the person who made this view can do this."),
  delete: ofManagers,
};
