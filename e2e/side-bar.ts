import { PLACES } from "#app/shell/places.ts";

/** Every page that the side bar leads to. */
export const SIDE_BAR = PLACES.flatMap(({ places }) => places).map(({ href }) => href);
