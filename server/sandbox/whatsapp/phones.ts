import { createHmac } from 'node:crypto'
import { fieldsOf } from '../call'
import type { WebhookSender } from '../webhooks'
import { statusError } from './errors'
import {
  type BusinessNumber,
  chatWith,
  type MessageContent,
  type MessageTemplate,
  type Phone,
  type PhoneMessage,
  type WhatsappState,
} from './state'

/** What people do on their phones, and what WhatsApp tells the business of it. */
export function createPhones(state: WhatsappState, webhooks: WebhookSender) {
  const seconds = () => String(Math.floor(state.clock().getTime() / 1_000))
  const newId = () => `wamid.${state.random.text(32)}`

  const contactOf = ({ number, userId, name }: Phone) => ({
    profile: { name },
    user_id: userId,
    ...(number !== null && { wa_id: number }),
  })

  function tell(event: string, value: object, number: BusinessNumber): void {
    const metadata = { display_phone_number: number.display.replace(/\D/g, ''), phone_number_id: number.id }
    tellChange(event, { value: { messaging_product: 'whatsapp', metadata, ...value }, field: 'messages' })
  }

  function tellChange(event: string, change: { value: object; field: string }): void {
    if (!state.subscription) return
    const { businessId, appSecret } = state
    const sign = (raw: string, secret: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
    })
    webhooks.send({
      event,
      url: state.subscription.url,
      body: {
        object: 'whatsapp_business_account',
        entry: [{ id: businessId, time: Number(seconds()), changes: [change] }],
      },
      headers: (raw) => sign(raw, appSecret),
      wrongHeaders: (raw) => sign(raw, 'another secret'),
    })
  }

  function templateOf({ template }: MessageContent): MessageTemplate | undefined {
    const { name, language } = fieldsOf(template)
    return state.templates.find((each) => each.name === name && each.language === fieldsOf(language).code)
  }

  const numberOf = ({ number }: Pick<PhoneMessage, 'number'>): BusinessNumber =>
    state.numbers.find(({ id }) => id === number) ?? state.number

  function tellStatus(phone: Phone, message: PhoneMessage, status: NonNullable<PhoneMessage['status']>): void {
    message.status = status
    const failed = status === 'failed' && { errors: [statusError(131026, 'The message could not be delivered.')] }
    const told = {
      ...{ id: message.id, status, timestamp: seconds(), recipient_user_id: phone.userId },
      ...(phone.number !== null && { recipient_id: phone.number }),
      ...(message.callbackData !== undefined && { biz_opaque_callback_data: message.callbackData }),
      ...failed,
    }
    tell(`status ${status}`, { statuses: [told] }, numberOf(message))
  }

  /** Tells the business of something that a person did. @returns what WhatsApp calls it */
  function tellDone(phone: Phone, content: MessageContent, number: BusinessNumber, more: object = {}): string {
    const id = newId()
    const from = phone.number === null ? {} : { from: phone.number }
    const told = { ...from, from_user_id: phone.userId, id, timestamp: seconds(), ...content, ...more }
    tell('message', { contacts: [contactOf(phone)], messages: [told] }, number)
    return id
  }

  return {
    add(name: string, number: string | null): Phone {
      const phone: Phone = {
        ...{ name, number, userId: `GB.${state.random.text(20)}`, messages: [], wroteAt: null },
        ...{ hoursPassed: 0, next: 'arrives', sentTimes: [] },
      }
      state.phones.push(phone)
      return phone
    },

    /**
     * The person sends a message. @param more what stands beside it, such as a referral @param to which number
     */
    write(phone: Phone, content: MessageContent, replyTo?: string, more: object = {}, to = state.number): PhoneMessage {
      const context = replyTo !== undefined && { context: { from: to.id, id: replyTo } }
      const at = state.clock()
      const id = tellDone(phone, content, to, { ...context, ...more })
      const message: PhoneMessage = { id, from: 'person', at, content, replyTo, number: to.id }
      phone.messages.push(message)
      phone.wroteAt = at
      phone.hoursPassed = 0
      return message
    },

    /** The person reacts to a message, or takes that back. */
    react(phone: Phone, message: PhoneMessage, emoji: string): void {
      if (message.reaction === emoji) delete message.reaction
      else message.reaction = emoji
      const reaction = { message_id: message.id, ...(message.reaction && { emoji }) }
      tellDone(phone, { type: 'reaction', reaction }, numberOf(message))
    },

    /** The person deletes a message of theirs. */
    revoke(phone: Phone, message: PhoneMessage): void {
      tellDone(phone, { type: 'revoke', revoke: { original_message_id: message.id } }, numberOf(message))
      message.content = { type: 'deleted' }
    },

    /** The person goes on with another number, under which WhatsApp knows them by another id. */
    move(phone: Phone, number: string): void {
      const body = `${phone.name} changed from ${phone.number} to ${number}`
      const system = { body, wa_id: number, type: 'user_changed_number' }
      for (const to of state.numbers)
        if (phone.messages.some((message) => numberOf(message) === to)) tellDone(phone, { type: 'system', system }, to)
      Object.assign(phone, { number, userId: `GB.${state.random.text(20)}` })
    },

    /** A message of the business reaches the phone; its statuses follow, as the phone's page has set. */
    arrive(
      phone: Phone,
      content: MessageContent,
      { callbackData, replyTo, number }: Pick<PhoneMessage, 'callbackData' | 'replyTo' | 'number'>,
    ): PhoneMessage {
      const template = content.type === 'template' ? templateOf(content) : undefined
      const message: PhoneMessage = {
        id: newId(),
        from: 'business',
        at: state.clock(),
        content,
        callbackData,
        replyTo,
        template,
        number,
      }
      phone.messages.push(message)
      const { next } = phone
      phone.next = 'arrives'
      if (next === 'fails') tellStatus(phone, message, 'failed')
      else {
        tellStatus(phone, message, 'sent')
        tellStatus(phone, message, 'delivered')
        if (next === 'arrives') tellStatus(phone, message, 'read')
      }
      return message
    },

    /** WhatsApp has decided on a template, and tells the business. */
    judge(template: MessageTemplate, { status, quality }: Pick<MessageTemplate, 'status' | 'quality'>): void {
      const [before, wasOf] = [template.status, template.quality]
      Object.assign(template, { status, quality })
      const about = {
        ...{ message_template_id: Number(template.id), message_template_name: template.name },
        message_template_language: template.language,
      }
      if (status !== before)
        tellChange(`template ${status}`, {
          field: 'message_template_status_update',
          value: { event: status, ...about, reason: status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE' },
        })
      if (quality !== wasOf)
        tellChange('template quality', {
          field: 'message_template_quality_update',
          value: { previous_quality_score: wasOf, new_quality_score: quality, ...about },
        })
    },

    /** The person has seen a chat. */
    read(phone: Phone, number = state.number): void {
      for (const message of chatWith(phone, state, number))
        if (message.from === 'business' && message.status === 'delivered') tellStatus(phone, message, 'read')
    },
  }
}
export type Phones = ReturnType<typeof createPhones>
