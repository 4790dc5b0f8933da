/** Limits of bookings. SPEC.md 5 for those of texts. */
export const bookingCaps = {
  /** characters of who books */
  name: 255,
  email: 255,
  phone: 35,
  /** characters of the name of a time zone */
  timeZone: 60,
  /** times that are offered at once */
  times: 10,
} as const
