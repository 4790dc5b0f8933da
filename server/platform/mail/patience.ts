import { setTimeout as pause } from 'node:timers/promises'
import type { Deliver, OutgoingMail } from './smtp'

export interface Patience {
  wait?: (milliseconds: number) => Promise<unknown>
  /** milliseconds for all attempts together */
  patience?: number
}

/** Pauses before the second and the third, last attempt. */
const PAUSES = [1_000, 4_000]
/** Somebody waits for the result. */
const PATIENCE = 20_000

/** Sends a mail; retries temporary failures. */
export async function deliverPatiently(
  send: Deliver,
  mail: OutgoingMail,
  { wait = pause, patience = PATIENCE }: Patience = {},
): ReturnType<Deliver> {
  const signal = AbortSignal.timeout(patience)
  let left = patience
  for (let tries = 0; ; tries++) {
    const delivery = await send(mail, signal)
    const next = PAUSES[tries]
    if (delivery.ok || !delivery.transient || next === undefined || signal.aborted) return delivery
    const pausing = Math.max(next, delivery.waitMs ?? 0)
    left -= pausing
    // who waits for the result would not wait that long
    if (left < 0) return delivery
    await wait(pausing)
    if (signal.aborted) return delivery
  }
}
