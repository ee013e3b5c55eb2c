import type { Course } from "./alert-course.ts";

const TEN_DAYS_S = 864_000;

/** Courses for the alerts about public addresses and certificates. */
export const ADDRESS_COURSES: readonly (readonly [string, Course])[] = [
  [
    "nobody answers at the public address",
    { series: { probe_success: "1x4 0x6" }, alert: "AddressDown", firing: 1 },
  ],
  [
    "nobody tries the public address",
    { series: { unrelated: "1x10" }, alert: "AddressDown", firing: 1 },
  ],
  [
    "the public address answers, but for one probe",
    { series: { probe_success: "1x4 0x1 1x5" }, alert: "AddressDown", firing: 0 },
  ],
  [
    "the certificate of the public address was not renewed",
    {
      series: { 'probe_ssl_earliest_cert_expiry{instance="cards"}': `${TEN_DAYS_S}x90` },
      alert: "CertificateExpires",
      firing: 1,
      after: "80m",
    },
  ],
  [
    "one of the certificates of a machine was not renewed",
    {
      series: {
        [expiry("server.crt")]: `${TEN_DAYS_S}x90`,
        [expiry("rest.crt")]: `${9 * TEN_DAYS_S}x90`,
      },
      alert: "CertificateExpires",
      firing: 1,
      after: "80m",
    },
  ],
  [
    "certificates are renewed a month before they expire",
    {
      series: {
        'probe_ssl_earliest_cert_expiry{instance="cards"}': `${3 * TEN_DAYS_S}x90`,
        [expiry("server.crt")]: `${3 * TEN_DAYS_S}x90`,
      },
      alert: "CertificateExpires",
      firing: 0,
      after: "80m",
    },
  ],
];

function expiry(file: string): string {
  return `floatdeck_certificate_expiry_timestamp_seconds{instance="db1",file="${file}"}`;
}
