/**
 * Runs tasks of one key one after the other, those of different keys concurrently. A failing task does not block the
 * next. It works within one process; between processes the row lock does the same.
 */
export function createKeyedQueue(): <Result>(key: string, task: () => Promise<Result>) => Promise<Result> {
  const tails = new Map<string, Promise<unknown>>()
  return function run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = tails.get(key) ?? Promise.resolve()
    const result = before.then(task, task)
    const tail = result.then(
      () => undefined,
      () => undefined,
    )
    tails.set(key, tail)
    void tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key)
    })
    return result
  }
}
