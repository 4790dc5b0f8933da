import { createHmac } from 'node:crypto'
import { fieldsOf } from '../call'
import type { WebhookSender } from '../webhooks'
import { statusError } from './errors'
import type { MessageContent, MessageTemplate, Phone, PhoneMessage, WhatsappState } from './state'

/** What people do on their phones, and what WhatsApp tells the business of it. */
export function createPhones(state: WhatsappState, webhooks: WebhookSender) {
  const seconds = () => String(Math.floor(state.clock().getTime() / 1_000))
  const newId = () => `wamid.${state.random.text(32)}`

  const contactOf = ({ number, userId, name }: Phone) => ({
    profile: { name },
    user_id: userId,
    ...(number !== null && { wa_id: number }),
  })

  function tell(event: string, value: object): void {
    const { number } = state
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

  function tellStatus(phone: Phone, message: PhoneMessage, status: NonNullable<PhoneMessage['status']>): void {
    message.status = status
    const failed = status === 'failed' && { errors: [statusError(131026, 'The message could not be delivered.')] }
    tell(`status ${status}`, {
      statuses: [
        {
          id: message.id,
          status,
          timestamp: seconds(),
          recipient_user_id: phone.userId,
          ...(phone.number !== null && { recipient_id: phone.number }),
          ...(message.callbackData !== undefined && { biz_opaque_callback_data: message.callbackData }),
          ...failed,
        },
      ],
    })
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

    /** The person sends a message. @param more what stands beside it, such as a referral */
    write(phone: Phone, content: MessageContent, replyTo?: string, more: object = {}): PhoneMessage {
      const message: PhoneMessage = { id: newId(), from: 'person', at: state.clock(), content, replyTo }
      phone.messages.push(message)
      phone.wroteAt = message.at
      phone.hoursPassed = 0
      const from = phone.number === null ? { from_user_id: phone.userId } : { from: phone.number }
      const context = replyTo !== undefined && { context: { from: state.number.id, id: replyTo } }
      const told = {
        ...from,
        from_user_id: phone.userId,
        id: message.id,
        timestamp: seconds(),
        ...content,
        ...context,
        ...more,
      }
      tell('message', { contacts: [contactOf(phone)], messages: [told] })
      return message
    },

    /** A message of the business reaches the phone; its statuses follow, as the phone's page has set. */
    arrive(phone: Phone, content: MessageContent, callbackData: string | undefined, replyTo?: string): PhoneMessage {
      const template = content.type === 'template' ? templateOf(content) : undefined
      const message: PhoneMessage = {
        id: newId(),
        from: 'business',
        at: state.clock(),
        content,
        callbackData,
        replyTo,
        template,
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

    read(phone: Phone): void {
      for (const message of phone.messages)
        if (message.from === 'business' && message.status === 'delivered') tellStatus(phone, message, 'read')
    },
  }
}
export type Phones = ReturnType<typeof createPhones>
