/** What was changed step by step, to go back and forth in. */
export interface History<Value> {
  past: readonly Value[]
  present: Value
  future: readonly Value[]
  /** what the last step changed, and when: one goes on in it while one types */
  step: { name: string; at: number } | null
}

/** Steps that can be undone. */
const DEPTH = 200
/** Changes of the same thing that are closer than this are one step. */
const PAUSE_MS = 1_000

export const historyOf = <Value>(present: Value): History<Value> => ({ past: [], present, future: [], step: null })

/**
 * @param name what is changed: a field's path
 * @param at ms of a clock that goes on
 */
export function changed<Value>(history: History<Value>, present: Value, name: string, at: number): History<Value> {
  const { past, step } = history
  const goesOn = step !== null && step.name === name && at - step.at < PAUSE_MS
  return {
    past: goesOn ? past : [...past, history.present].slice(-DEPTH),
    present,
    future: [],
    step: { name, at },
  }
}

export function undone<Value>(history: History<Value>): History<Value> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    step: null,
  }
}

export function redone<Value>(history: History<Value>): History<Value> {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return { past: [...history.past, history.present], present: after, future, step: null }
}
