import { z } from 'zod'
import type { Json } from '../../../engine/values/json'

/** What is to be done about a refusal. */
export type GraphAction =
  /** send it again later: nothing was sent */
  | 'wait'
  /** send it again once: it may be a passing fault */
  | 'retry'
  /** the person has not written for 24 hours */
  | 'window'
  /** the connection's values have to be entered again */
  | 'reconnect'
  /** this message will never be taken */
  | 'drop'

const WAIT: ReadonlySet<number> = new Set([2, 4, 80007, 130429, 131016, 131048, 131056, 131057, 133016])
const RECONNECT: ReadonlySet<number> = new Set([0, 3, 10, 190, 131005, 131031, 133010])

/**
 * A refusal of the Graph interface. Decided by its code: titles and texts change (sheet of the vendor, "Sending").
 */
export class GraphError extends Error {
  override readonly name = 'GraphError'

  constructor(
    /** null: what was answered is no error of Graph's */
    readonly code: number | null,
    readonly action: GraphAction,
    message: string,
  ) {
    super(message)
  }
}

const errorSchema = z.object({
  error: z.object({
    code: z.int(),
    message: z.string().catch(''),
    error_data: z
      .object({ details: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
})

/** Explains an answer that is no success. @param body as it was parsed; undefined if it is no JSON */
export function explainGraph(status: number, body: Json | undefined): GraphError {
  const found = errorSchema.safeParse(body).data?.error
  if (!found) return new GraphError(null, status >= 500 ? 'retry' : 'drop', `WhatsApp answered ${status}.`)
  const { code, message, error_data } = found
  const words = (error_data?.details || message || 'no reason given').slice(0, 300)
  return new GraphError(code, actionOf(code, status), `${words} (WhatsApp ${code})`)
}

/** Refusals that come later, in the status of a message. */
export const actionOf = (code: number, status = 400): GraphAction => {
  if (code === 131047) return 'window'
  if (WAIT.has(code)) return 'wait'
  if (RECONNECT.has(code) || (code >= 200 && code < 300)) return 'reconnect'
  if (code === 131000 || (code === 1 && status >= 500)) return 'retry'
  return 'drop'
}
