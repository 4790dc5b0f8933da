/** Counts calls in a window that slides with the clock, as vendors do. */
export class CallLimit {
  readonly #times = new Map<string, number[]>()

  constructor(
    readonly most: number,
    readonly seconds: number,
  ) {}

  /**
   * Counts a call, unless it is one too many.
   * @returns how many are left, and in how many seconds the oldest leaves the window; `left` is -1 for one too many
   */
  count(key: string, at: Date): { left: number; resetSeconds: number } {
    const now = at.getTime()
    const times = (this.#times.get(key) ?? []).filter((time) => time > now - this.seconds * 1_000)
    const taken = times.length < this.most
    if (taken) times.push(now)
    this.#times.set(key, times)
    const oldest = times[0] ?? now
    const resetSeconds = Math.max(0, Math.ceil((oldest + this.seconds * 1_000 - now) / 1_000))
    return { left: taken ? this.most - times.length : -1, resetSeconds }
  }
}
