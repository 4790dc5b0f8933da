/**
 * How long what a process holds stays its own if it is not renewed: a bit longer than a job's lease, so that whoever
 * takes over a job leaves it to who may still be at it.
 */
export const HELD_FOR = 20_000
const RENEW_EVERY = 5_000

/**
 * Does something while what it holds is renewed: a process that dies gives it up within `HELD_FOR`, and one that lives
 * keeps it as long as the work takes. A renewal that fails is passed over: the next one may succeed.
 * @param renew moves the end of the lease on, if it is still this one's
 */
export async function renewed<Result>(renew: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
