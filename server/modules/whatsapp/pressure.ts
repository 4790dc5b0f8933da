/** Calls that are open at once before later work waits for them. */
const MOST_OPEN = 16
/** How long later work waits at most, in ms. */
const LONGEST = 10_000

/**
 * What can be done later lets calls go first that have to be answered soon: WhatsApp counts how late it is answered,
 * and people write in bursts.
 */
export function createPressure(most = MOST_OPEN, longest = LONGEST) {
  let open = 0
  /** since when too many are open; null: they are not */
  let since: number | null = null
  let waiting: (() => void)[] = []

  return {
    /** Counts a call as open until it has ended. */
    async during<Result>(task: () => Promise<Result>): Promise<Result> {
      open += 1
      if (open > most) since ??= performance.now()
      try {
        return await task()
      } finally {
        open -= 1
        if (open <= most) {
          since = null
          for (const goOn of waiting) goOn()
          waiting = []
        }
      }
    },

    /** Waits until few calls are open, and no longer than a burst takes: from then on both share the machine. */
    async eased(): Promise<void> {
      const left = since === null ? 0 : since + longest - performance.now()
      if (left <= 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left).unref()
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
export type Pressure = ReturnType<typeof createPressure>
