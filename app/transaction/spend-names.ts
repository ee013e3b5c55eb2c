import { toCountryName } from "#lib/base/countries.ts";
import { toCategory } from "#lib/transactions/merchant-category.ts";
import { UNKNOWN_CATEGORY, UNKNOWN_COUNTRY } from "#lib/transactions/unknown-spend.ts";

/** `Fast Food Restaurants (5814)`. For the server only: it knows the names of all categories. */
export function toSpendCategoryName(mcc: string): string {
  return mcc === UNKNOWN_CATEGORY.id ? UNKNOWN_CATEGORY.name : toCategory(mcc);
}

/** `United States` */
export function toSpendCountryName(country: string): string {
  return country === UNKNOWN_COUNTRY.id ? UNKNOWN_COUNTRY.name : toCountryName(country);
}
