import { CALL_FAILED } from '../../../../engine/effects/defineEffect'
import type { Json } from '../../../../engine/values/json'
import { createMarkdownReader } from '../../../../engine/values/markdown'
import type { ServerContext } from '../../../platform/context'
import { CONVERSATION_GONE, type EffectHandler } from '../../../platform/effects/handleEffect'
import { ApiError } from '../../../platform/errors'
import { type GatePlace, withoutPlace } from '../../../platform/http/admission'
import { startWatch } from '../../../platform/metrics/createMetrics'
import { failed, inSpan } from '../../../platform/tracing/spans'
import type { ConversationRef } from '../conversations/conversationRef'
import { callContextOf } from './callContext'
import type { PendingCall } from './machine'
import type { Conversation } from './rows'
import type { Updates } from './updates'
import { writesOf } from './writes'

export interface Calls {
  /**
   * Makes a turn's external call and gives up the gate's place while it is in progress. If a handler throws, the result
   * is a failure that the block can handle.
   * @throws ApiError unavailable once this process stops: the turn is left as it is, and the next process makes the
   *   call again
   */
  make(call: PendingCall, row: Conversation, place: GatePlace | undefined): Promise<Json>
  /** Starts no more calls and aborts those in progress. */
  close(): void
}

/**
 * Makes the external calls of turns.
 * @param handlerOf the handler of an effect by its name
 */
export function createCalls(
  { db, log, metrics }: Pick<ServerContext, 'db' | 'log' | 'metrics'>,
  { handlerOf, updates }: { handlerOf: (name: string) => EffectHandler | undefined; updates: Pick<Updates, 'draft'> },
): Calls {
  let closing = false
  /** One abort controller for each call, so that its listeners are released with the call, not with the process. */
  const underWay = new Set<AbortController>()

  /**
   * Whether a conversation was deleted, so that rows referring to it can't be written; false if the database can't be
   * queried.
   */
  async function isDeleted({ id, project_id }: ConversationRef): Promise<boolean> {
    const rows = db.selectFrom('conversations').select('id').where('id', '=', id).where('project_id', '=', project_id)
    return rows.execute().then(
      ({ length }) => length === 0,
      () => false,
    )
  }

  return {
    async make({ service, request, key }, row, place) {
      const handler = handlerOf(service)
      if (!handler) return { ok: false, error: `There is no effect '${service}'.` }
      if (closing) throw new ApiError('unavailable')
      const ending = new AbortController()
      const { signal } = ending
      underWay.add(ending)
      const seconds = startWatch()
      let isRight = false
      try {
        const readMarkdown = createMarkdownReader()
        const draft = (markdown: string) => updates.draft(row.id, { after: row.last_seq, text: readMarkdown(markdown) })
        const called = callContextOf(row, key, { signal, writes: await writesOf(db, row), draft })
        const attributes = { 'parley.effect': service }
        return await inSpan(`effect ${service}`, { attributes }, async (span) => {
          const answer = await unlessAborted(signal, () => withoutPlace(place, () => handler.answer(request, called)))
          isRight = !isFailure(answer)
          if (!isRight) failed(span)
          return answer
        })
      } catch (error) {
        if (signal.aborted) throw new ApiError('unavailable', { cause: error })
        if (await isDeleted(row)) return CONVERSATION_GONE
        log.error({ err: error, service }, 'a handler threw instead of answering')
        return CALL_FAILED
      } finally {
        underWay.delete(ending)
        metrics.effects.inc({ effect: service, outcome: isRight ? 'ok' : 'failed' })
        metrics.effectSeconds.observe({ effect: service }, seconds())
      }
    },

    close() {
      closing = true
      for (const ending of underWay) ending.abort()
    },
  }
}

/** Whether an answer is a failure that the block handles. */
const isFailure = (answer: Json): boolean =>
  typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false

/** The result of `work`; rejects as soon as the signal is aborted, even if the work ignores it. */
async function unlessAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
