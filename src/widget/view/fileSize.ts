const units = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const

/** A size as SPEC.md 9 shows it: in KB, MB or GB, decimal. */
export function fileSize(bytes: number): string {
  const [unit, factor] = units.find(([, factor]) => bytes >= factor) ?? units[2]
  const value = bytes / factor
  return `${value < 10 ? Math.max(Math.round(value * 10) / 10, 0.1) : Math.round(value)} ${unit}`
}
