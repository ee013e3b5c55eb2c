/** With which everyone in tests signs in. */
export const PASSWORD = "correct horse battery";

/** What an integrator registers with. */
export function toRegistration(email: string) {
  return {
    business_name: "Northwind",
    business_address: "1 Harbour Street",
    contact_number: "+15550100",
    country: "US",
    domain: "northwind.example",
    email,
    first_name: "Ada",
    last_name: "Winter",
    password: PASSWORD,
    registration_number: "12345",
  };
}

/** What a cardholder is registered with, beside an email. */
export const CARDHOLDER = {
  first_name: "Lin",
  last_name: "Osei",
  phone_number: "+15550111",
  id_type: "passport",
  id_number: "X1234567",
  address: { city: "Accra", country: "GH", line1: "2 Ring Road", state: "AA", zip_code: "00233" },
};
