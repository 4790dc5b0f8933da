import { ApiError } from './errors'

interface Gathering<Item, Result> {
  /** Works on several at once. @returns a result for each, in their order */
  run: (items: readonly Item[]) => Promise<readonly Result[]>
  /** items of one run at most */
  most: number
  /** what an item counts for; default: nothing */
  sizeOf?: (item: Item) => number
  /** size of one run at most, unless one item alone is larger */
  mostSize?: number
  /** size of what waits at most */
  mostWaiting?: number
}

interface Waiting<Item, Result> {
  item: Item
  size: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Lets calls share their work: what comes while a run is under way waits for the next one, which takes all of it. A
 * statement of the database for many callers costs little more than for one, and a caller alone waits for nobody.
 * @returns gives an item to the next run, and answers with its result. It throws what the run throws, and ApiError
 *   `overloaded` if too much waits
 */
export function gather<Item, Result>({
  run,
  most,
  sizeOf = () => 0,
  mostSize = Number.POSITIVE_INFINITY,
  mostWaiting = Number.POSITIVE_INFINITY,
}: Gathering<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let waitingSize = 0
  let isRunning = false

  function takeNext(): Waiting<Item, Result>[] {
    let size = 0
    const end = waiting.findIndex((each, at) => {
      size += each.size
      return at > 0 && (at >= most || size > mostSize)
    })
    const next = waiting.slice(0, end < 0 ? undefined : end)
    waiting = waiting.slice(next.length)
    for (const each of next) waitingSize -= each.size
    return next
  }

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const next = takeNext()
      try {
        const results = await run(next.map(({ item }) => item))
        for (const [at, { resolve }] of next.entries()) resolve(results[at] as Result)
      } catch (error) {
        for (const { reject } of next) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const size = sizeOf(item)
      if (waiting.length > 0 && waitingSize + size > mostWaiting) throw new ApiError('overloaded')
      waiting.push({ item, size, resolve, reject })
      waitingSize += size
      if (!isRunning) void runAll()
    })
}
