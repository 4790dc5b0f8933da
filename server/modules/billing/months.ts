/** The first moment of the month (UTC) of `at`, or of one that comes so many months later. */
export const startOfMonth = (at: Date, later = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1))

/** YYYY-MM of that moment, in UTC. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

export const startOfDay = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()))
