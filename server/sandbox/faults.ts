import { compileGlob } from './glob'

/** What can go wrong between a client and a vendor. */
export type FaultKind =
  /** 401: the token is not taken, though it lives */
  | 'unauthorized'
  /** 403: a scope is missing */
  | 'forbidden'
  /** 409: another was faster, or it exists */
  | 'conflict'
  /** 429; with `retryAfter` seconds if given */
  | 'tooMany'
  /** 500, before anything was written */
  | 'serverError'
  /** 500, though everything was written */
  | 'serverErrorAfterWrite'
  /** the connection breaks before anything was written */
  | 'cutBeforeWrite'
  /** everything was written, and the connection breaks before the answer */
  | 'cutAfterWrite'
  /** answers when the clock has moved by `seconds` */
  | 'slow'
  /** a proxy's page with the status 200, before anything was written */
  | 'html'
  /** everything was written; the answer's JSON ends in the middle */
  | 'halfJson'
  /** the person withdraws their consent now: the token is dead and so is what refreshes it */
  | 'tokenRevoked'
  /** the refresh token is taken twice, each with another answer; the first answer's token is dead after the second */
  | 'refreshTwice'
  // of webhooks
  | 'twice'
  /** is sent when the clock has moved by `seconds` */
  | 'late'
  /** is sent after the one that follows */
  | 'outOfOrder'
  | 'wrongSignature'
  /** is never sent */
  | 'lost'

export interface Fault {
  /** `POST /v4/spreadsheets/*`, `* /token`, `webhook invitee.created`, `*`; a star is any text */
  on: string
  with: FaultKind
  /** default 1 */
  times?: number
  /** that many matching calls pass unharmed first; default 0 */
  after?: number
  /** for `tooMany`: seconds in the Retry-After header; absent: no such header */
  retryAfter?: number
  /** for `slow` and `late` */
  seconds?: number
}

/** The script of what goes wrong: faults in the order in which they were told, each used up by calls it matches. */
export class FaultScript {
  #waiting: { fault: Fault; matches: (text: string) => boolean; pass: number; left: number }[] = []

  add(fault: Fault): void {
    this.#waiting.push({ fault, matches: compileGlob(fault.on), pass: fault.after ?? 0, left: fault.times ?? 1 })
  }

  /** @param what `POST /path` or `webhook event` @returns the fault of this call, which is used up by it */
  take(what: string): Fault | null {
    for (const waiting of this.#waiting) {
      if (!waiting.matches(what)) continue
      if (waiting.pass > 0) {
        waiting.pass -= 1
        continue
      }
      waiting.left -= 1
      if (waiting.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== waiting)
      return waiting.fault
    }
    return null
  }

  /** faults that no call has met yet */
  get left(): readonly Fault[] {
    return this.#waiting.map(({ fault }) => fault)
  }

  clear(): void {
    this.#waiting = []
  }
}
