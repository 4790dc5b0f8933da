/** A function that takes foreign text, as it is called with one. */
export interface Subject {
  run: (text: string) => unknown
  /** characters that it is ever given; of what has no limit, enough to tell growth */
  most: number
  /** and at least: what it takes for shorter ones has a limit of its own */
  least?: number
}

/** Of what has no limit, enough for the square of it to show. */
export const LONG = process.env.FULL ? 200_000 : 24_000
/** SPEC.md 9 */
export const MESSAGE = 20_000

/** For what refuses a text by throwing. */
export function quiet(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
