/** How much faster time goes where several processes share a clock that can't be stopped. */
const SPEED = 20

/** A clock that was right at `from`, in ms, and goes faster since: the same in all processes of a machine. */
export const fastClock = (from: number, speed = SPEED) => ({
  speed,
  clock: () => new Date(from + (Date.now() - from) * speed),
})
