import { type Answer, type Call, fieldsOf } from '../call'
import { templateBody } from './drawTemplate'
import { refuseGraph } from './errors'
import type { Phones } from './phones'
import { isWindowOpen, type MessageContent, type Phone, type WhatsappState } from './state'

/** Messages to one person: so many at once, then one every six seconds. */
const BURST = 10
const PAIR_SECONDS = 6
/** Messages a second of one number. */
const A_SECOND = 80

/** `POST /{number}/messages`: a message to a person, or the mark that one of theirs was read. */
export function createSendMessage(state: WhatsappState, phones: Phones, limited: boolean) {
  const recentOf = new Map<string, number[]>()

  function admit(phone: Phone, number: string, now: number): void {
    if (!limited) return
    const recent = (recentOf.get(number) ?? []).filter((time) => now - time < 1_000)
    recentOf.set(number, recent)
    if (recent.length >= A_SECOND) throw refuseGraph(400, 130429, 'More than 80 messages a second.')
    const since = now - BURST * PAIR_SECONDS * 1_000
    phone.sentTimes = phone.sentTimes.filter((time) => time > since)
    if (phone.sentTimes.length >= BURST) throw refuseGraph(400, 131056, 'Too many messages to this person.')
    recent.push(now)
    phone.sentTimes.push(now)
  }

  return ({ params, body }: Call): Answer => {
    const number = state.numbers.find(({ id }) => id === params['Phone-Number-ID'])
    if (!number) throw refuseGraph(400, 100, 'There is no such phone number.')
    if (number.pin === null) throw refuseGraph(400, 133010, 'The number is not registered.')
    const fields = fieldsOf(body)
    if (fields.status === 'read') return markRead(String(fields.message_id))
    const phone = state.phones.find(({ number, userId }) =>
      fields.to ? number === fields.to : userId === fields.recipient,
    )
    if (!phone) throw refuseGraph(400, 131026, 'This person is not on WhatsApp.')
    const type = String(fields.type)
    if (type === 'template') requireTemplate(fieldsOf(fields.template))
    else if (!isWindowOpen(phone, state, number))
      throw refuseGraph(400, 131047, 'More than 24 hours have passed since the person last replied.')
    const problem = problemOf(type, fields)
    if (problem) throw refuseGraph(400, 131009, problem)
    admit(phone, number.id, state.clock().getTime())
    const content = { type, [type]: fields[type] } as MessageContent
    const replyTo = fieldsOf(fields.context).message_id
    const callbackData = fields.biz_opaque_callback_data
    const message = phones.arrive(phone, content, {
      ...(typeof callbackData === 'string' && { callbackData }),
      ...(typeof replyTo === 'string' && { replyTo }),
      number: number.id,
    })
    const contact = { input: String(fields.to ?? fields.recipient), user_id: phone.userId }
    return {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [phone.number === null ? contact : { ...contact, wa_id: phone.number }],
        messages: [{ id: message.id, message_status: 'accepted' }],
      },
    }
  }

  function markRead(id: string): Answer {
    const known = state.phones.some(({ messages }) => messages.some((each) => each.id === id && each.from === 'person'))
    if (!known) throw refuseGraph(400, 131009, 'There is no such message.')
    state.readByBusiness.add(id)
    return { status: 200, body: { success: true } }
  }

  function requireTemplate({ name, language, components }: Record<string, unknown>): void {
    const { code } = fieldsOf(language)
    const found = state.templates.find((each) => each.name === name && each.language === code)
    if (found?.status !== 'APPROVED')
      throw refuseGraph(404, 132001, `There is no approved template ${name} in ${code}.`)
    const given = listOf(components).find(({ type }) => String(type).toLowerCase() === 'body')?.parameters
    const wanted = new Set(templateBody(found).match(/\{\{[^{}]*\}\}/g)).size
    if (listOf(given).length !== wanted)
      throw refuseGraph(400, 132000, `The body has ${wanted} places, not ${listOf(given).length}.`)
  }
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** What the schema of a request does not say. */
function problemOf(type: string, fields: Record<string, unknown>): string | null {
  const { action } = fieldsOf(fields.interactive) as { action?: Record<string, unknown> }
  if (type !== 'interactive') return null
  const buttons = Array.isArray(action?.buttons) ? action.buttons.map((each) => fieldsOf(fieldsOf(each).reply)) : []
  const sections = Array.isArray(action?.sections) ? action.sections.map(fieldsOf) : []
  const rows = sections.flatMap(({ rows: some }) => (Array.isArray(some) ? some.map(fieldsOf) : []))
  if (rows.length > 10) return 'A list has at most 10 rows.'
  const ids = [...buttons, ...rows].map(({ id }) => id)
  if (new Set(ids).size < ids.length) return 'The ids of buttons and rows must be different.'
  const titles = buttons.map(({ title }) => title)
  return new Set(titles).size < titles.length ? 'The titles of buttons must be different.' : null
}
