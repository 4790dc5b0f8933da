/** The value at a path in plain data; undefined if there is none. */
export const readPath = (data: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], data)

/** A copy with one value changed; everything else is shared. */
export function writePath(data: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(data))
    return data.map((item, index) => (index === Number(step) ? writePath(item, rest, value) : item))
  const record = (data ?? {}) as Record<string, unknown>
  return { ...record, [step]: writePath(record[step], rest, value) }
}
