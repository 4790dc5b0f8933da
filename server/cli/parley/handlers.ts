import { contactsEffect } from '../../../engine/effects/contacts'
import { handOffEffect } from '../../../engine/effects/handOff'
import { mailEffect } from '../../../engine/effects/mail'
import { testEffectsOf } from '../../../engine/flow/testEffects'
import { richTextToString } from '../../../engine/values/richText'
import { createModelAnswers } from '../../modules/agents/answer'
import { createExtractHandler } from '../../modules/agents/extract'
import { readContactCall } from '../../modules/contacts/request'
import { createHttpHandler } from '../../modules/flows/httpRequest/httpHandler'
import { createChatModel } from '../../modules/models/chatModel'
import { parseConfig } from '../../platform/config/config'
import type { CallContext } from '../../platform/effects/callContext'
import { type EffectHandler, handleEffect } from '../../platform/effects/handleEffect'
import { createOutboundFetch } from '../../platform/outbound/outboundFetch'
import { createMemoryContacts } from './memoryContacts'

/** The context of a call in a terminal: no project, no conversation. */
export type TerminalContext = Pick<CallContext, 'idempotencyKey' | 'signal' | 'writes'>
export type TerminalHandlers = readonly EffectHandler<TerminalContext>[]

/**
 * Effect handlers for a terminal: HTTP requests are sent for real and marked as a test, through the guard; models come
 * from the environment; mails and hand-offs are printed, contacts live as long as the process. A simulated HTTP request
 * is printed, too.
 * @param secrets values by name, for flows' references
 */
export function createTerminalHandlers(
  clock: () => Date,
  print: (line: string) => void,
  secrets: ReadonlyMap<string, string>,
): TerminalHandlers {
  const { OUTBOUND_ALLOW, AI_BASE_URL, AI_MODEL, AI_API_KEY } = process.env
  const { outboundAllow, ai } = parseConfig({ OUTBOUND_ALLOW, AI_BASE_URL, AI_MODEL, AI_API_KEY })
  const model = ai && createChatModel(ai)
  // conversations are not stored here: models and rules only see what blocks pass to them
  const nothingSaid = async () => []
  const contacts = createMemoryContacts()
  const http = createHttpHandler<TerminalContext>(createOutboundFetch({ allowed: outboundAllow }), clock, {
    secretsOf: async () => secrets,
  })
  return [
    {
      ...http,
      async answer(request, context) {
        const answer = await http.answer(request, context)
        for (const effect of testEffectsOf(answer))
          if (effect.type === 'http' && !effect.carriedOut) print(`[not sent] ${effect.method} ${effect.url}`)
        return answer
      },
    },
    createModelAnswers(model, nothingSaid),
    createExtractHandler<TerminalContext>(async () => model, nothingSaid, clock),
    handleEffect(mailEffect).by({
      async carryOut({ to, subject, body }, { idempotencyKey }: TerminalContext) {
        if (to.length === 0) return { ok: false, error: 'The email has no address.' }
        print(`[mail to ${to.join(', ')}] ${subject}`)
        print(richTextToString(body, () => ''))
        return { ok: true, messageId: `<${idempotencyKey}@terminal>`, status: 'outbox' }
      },
      simulate: 'reads-only',
    }),
    handleEffect(contactsEffect).by({
      async carryOut(call) {
        const read = readContactCall(call)
        if ('problem' in read) return { ok: false, error: read.problem }
        print(`[contact] ${read.request.action} ${read.request.key.field} ${read.request.key.value}`)
        return contacts(read.request)
      },
      simulate: 'reads-only',
    }),
    handleEffect(handOffEffect).by({
      async carryOut(call) {
        if ('action' in call) return { ok: true }
        // of several candidates, the visitor's is unknown here
        const email = call.email || (call.candidates.length === 1 ? call.candidates[0] : '') || null
        if (email === null && !call.asked) return { ok: false, error: 'address-wanted' }
        const { team, note } = call
        print(`[hand-off] ${JSON.stringify({ team, note, email })}`)
        return { ok: true, delivery: 'mail', email, notified: 1 }
      },
      simulate: 'reads-only',
    }),
  ]
}
