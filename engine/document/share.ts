/** Structural sharing: returns `next` with its equal parts replaced by those of `before`, which keep their identity. */
export function shareDeep<T>(before: unknown, next: T): T {
  if (Object.is(before, next)) return next
  if (before === null || next === null || typeof before !== 'object' || typeof next !== 'object') return next
  if (Array.isArray(next)) {
    if (!Array.isArray(before)) return next
    let same = before.length === next.length
    const shared = next.map((item, i) => {
      const kept = shareDeep(before[i], item)
      if (!Object.is(kept, before[i])) same = false
      return kept
    })
    return (same ? before : shared) as T
  }
  if (Array.isArray(before)) return next
  const old = before as Record<string, unknown>
  const keys = Object.keys(next)
  let same = Object.keys(old).length === keys.length
  const shared: Record<string, unknown> = {}
  for (const key of keys) {
    const kept = shareDeep(old[key], (next as Record<string, unknown>)[key])
    if (!Object.is(kept, old[key]) || !(key in old)) same = false
    shared[key] = kept
  }
  return (same ? old : shared) as T
}

/** Freezes a value deeply; an already frozen object is assumed to be frozen deeply. */
export function freezeDeep<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) freezeDeep(part)
  return Object.freeze(value)
}
