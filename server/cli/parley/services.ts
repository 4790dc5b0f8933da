import { handOffCallSchema } from '../../../engine/flow/handOver'
import { firstProblem } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import { richTextToString } from '../../../engine/values/richText'
import { createAnswerService } from '../../modules/agents/answer'
import { createExtractService } from '../../modules/agents/extract'
import { contactRequestSchema } from '../../modules/contacts/request'
import { createHttpService } from '../../modules/flows/httpRequest/service'
import { createChatModel } from '../../modules/models/chatModel'
import { parseConfig } from '../../platform/config/config'
import type { KeyedCall } from '../../platform/effects/service'
import { mailRequestSchema } from '../../platform/mail/content'
import { createOutsideFetch } from '../../platform/outbound/outsideFetch'
import { createMemoryContacts } from './memoryContacts'

interface TerminalOptions {
  /** HTTP requests that may change something are printed too, and not sent */
  simulates: boolean
  /** values by name, of what flows refer to */
  secrets: ReadonlyMap<string, string>
}

/**
 * What flows may call from a terminal: HTTP for real and marked as a test, through the guard, and models by environment;
 * mails and hand-offs are printed, contacts live as long as the process.
 */
export function createTerminalServices(
  clock: () => Date,
  print: (line: string) => void,
  { simulates, secrets }: TerminalOptions,
): Readonly<Record<string, KeyedCall>> {
  const { OUTBOUND_ALLOW, AI_BASE_URL, AI_MODEL, AI_API_KEY } = process.env
  const { outboundAllow, ai } = parseConfig({ OUTBOUND_ALLOW, AI_BASE_URL, AI_MODEL, AI_API_KEY })
  const model = ai && createChatModel(ai)
  // no conversation is kept here: models and rules see what blocks pass to them
  const nothingSaid = async () => []
  const contacts = createMemoryContacts()
  const http = createHttpService(createOutsideFetch({ allowed: outboundAllow }), clock, async () => secrets)
  return {
    async http(request, { key }) {
      if (!simulates) return http.carryOut(request, { key, writes: 'marked' })
      const answer = await http.simulate(request, { key, writes: 'simulated' })
      for (const effect of answer.testEffects ?? [])
        if (effect.type === 'http') print(`[not sent] ${effect.method} ${effect.url}`)
      return answer
    },
    'ai.answer': createAnswerService(model, nothingSaid),
    'ai.extract': createExtractService(async () => model, nothingSaid, clock),
    async mail(request, { key }): Promise<Json> {
      const mail = mailRequestSchema.safeParse(request)
      if (!mail.success) return { ok: false, error: firstProblem(mail.error.issues) }
      const { to, subject, body } = mail.data
      if (to.length === 0) return { ok: false, error: 'The email has no address.' }
      print(`[mail to ${to.join(', ')}] ${subject}`)
      print(richTextToString(body as Parameters<typeof richTextToString>[0], () => ''))
      return { ok: true, messageId: `<${key}@terminal>`, status: 'outbox' }
    },
    async contacts(request) {
      const parsed = contactRequestSchema.safeParse(request)
      if (!parsed.success) return { ok: false, error: firstProblem(parsed.error.issues) }
      print(`[contact] ${parsed.data.action} ${parsed.data.key.field} ${parsed.data.key.value}`)
      return contacts(parsed.data)
    },
    async 'hand-off'(request): Promise<Json> {
      const call = handOffCallSchema.parse(request)
      if ('action' in call) return { ok: true }
      // nobody knows here which of several is the visitor's
      const email = call.email || (call.candidates.length === 1 ? call.candidates[0] : '') || null
      if (email === null && !call.asked) return { ok: false, error: 'address-wanted' }
      const { team, note } = call
      print(`[hand-off] ${JSON.stringify({ team, note, email })}`)
      return { ok: true, delivery: 'mail', email, notified: 1 }
    },
  }
}
