/** The first moment of the month (UTC) of `at`, or of the month `later` months after it. */
export const startOfMonth = (at: Date, later = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1))

/** YYYY-MM of a moment, in UTC. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

export const startOfDay = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()))
