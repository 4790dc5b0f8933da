/** Character caps of fields that several kinds have (SPEC.md 5 and 9); `alt` and `pattern` are ours. */
export const caps = {
  text: 20_000,
  url: 2_048,
  alt: 500,
  label: 75,
  optionValue: 3_000,
  setVariable: 3_000,
  placeholder: 30,
  userMessage: 20_000,
  email: 320,
  comparison: 3_000,
  pattern: 500,
} as const

/** Counts that keep a block drawable and a turn short; ours. */
export const counts = { options: 100, branches: 100, comparisons: 50, attempts: 10 } as const

export const tooLong = (max: number): string => `Must not exceed ${max} characters`
