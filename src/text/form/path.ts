/** What stands at a place in plain data; undefined where there is none. */
export const readPath = (data: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], data)

/** A copy with one place changed; everything beside the way to it is shared. */
export function writePath(data: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(data))
    return data.map((item, index) => (index === Number(step) ? writePath(item, rest, value) : item))
  const record = (data ?? {}) as Record<string, unknown>
  return { ...record, [step]: writePath(record[step], rest, value) }
}
