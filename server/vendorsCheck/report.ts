import { VendorError, type VendorErrorCode } from '../modules/integrations/calls/vendorError'

/** A thing that was looked at: what our code expects, and what the vendor did. */
export interface Finding {
  what: string
  expected: string
  seen: string
  /** null: told only, nothing of ours depends on it */
  holds: boolean | null
}

interface Seen<Value> {
  seen: string
  /** default: it does */
  holds?: boolean | null
  value?: Value
}

/** Collects what is seen, in its order. */
export interface Report {
  findings: readonly Finding[]
  /**
   * Looks at one thing; whatever goes wrong is a finding that does not hold, and the rest goes on.
   * @returns the value, undefined if it went wrong
   */
  see<Value>(what: string, expected: string, look: () => Promise<Seen<Value>>): Promise<Value | undefined>
  /** Does what the vendor has to refuse, for the reason that the code names. */
  refused(what: string, code: VendorErrorCode, provoke: () => Promise<unknown>): Promise<void>
}

/** @param said what the vendor's last answer said, for a refusal */
export function createReport(said: () => string): Report {
  const findings: Finding[] = []
  const add = (what: string, expected: string, { seen, holds = true }: Seen<unknown>) =>
    findings.push({ what, expected, seen, holds })

  return {
    findings,
    async see(what, expected, look) {
      try {
        const found = await look()
        add(what, expected, found)
        return found.value
      } catch (error) {
        add(what, expected, { seen: messageOf(error), holds: false })
        return undefined
      }
    },
    async refused(what, code, provoke) {
      const expected = `refused as “${code}”`
      try {
        await provoke()
        add(what, expected, { seen: 'it was done', holds: false })
      } catch (error) {
        const isExpected = error instanceof VendorError && error.code === code
        const as = error instanceof VendorError ? `“${error.code}”` : messageOf(error)
        add(what, expected, { seen: `${as}: ${said()}`, holds: isExpected })
      }
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
