/**
 * Runs a task one at a time. Each call resolves with a run that started after it, so that callers see the present
 * state. Calls during a run share the next one.
 */
export function coalesceRuns(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function start(): Promise<void> {
    const run = task().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }

  return () => {
    if (!running) return start()
    const afterwards = () => {
      next = null
      return running ?? start()
    }
    next ??= running.then(afterwards, afterwards)
    return next
  }
}
