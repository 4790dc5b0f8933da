import type { InputRequest } from '../../../../engine/flow/conversation'
import { SKIP_OPTION } from '../../../../server/modules/conversations/channels/skipOption'
import type { MessageContent, PhoneMessage } from '../../../../server/sandbox/whatsapp/state'

type Option = { id: string; title: string }
type Interactive = {
  type: string
  action: { buttons?: { reply: Option }[]; sections?: { rows: Option[] }[] }
}
/** A button or row on a phone, with the message that shows it. */
interface Shown extends Option {
  type: 'button_reply' | 'list_reply'
  messageId: string
}

/** What a person sends, and the message that it answers. */
export interface PhoneAnswer {
  content: MessageContent
  replyTo?: string
}

export const text = (body: string): PhoneAnswer => ({ content: { type: 'text', text: { body } } })

/** The buttons and rows of messages, in their order; those that skip a question are left out. */
function optionsOf(messages: readonly PhoneMessage[]): Shown[] {
  return messages
    .flatMap(({ id: messageId, content }) => {
      const { action } = (content.interactive ?? { type: '', action: {} }) as Interactive
      const buttons = (action.buttons ?? []).map(({ reply }) => ({
        ...reply,
        type: 'button_reply' as const,
        messageId,
      }))
      const rows = (action.sections ?? []).flatMap((section) => section.rows)
      return [...buttons, ...rows.map((row) => ({ ...row, type: 'list_reply' as const, messageId }))]
    })
    .filter(({ id }) => id !== SKIP_OPTION)
}

/**
 * What a person who wants to get on answers, from what stands on the phone. @param shown since they last wrote
 * @param count how often the same was asked before: another option is chosen each time, so that menus are left
 * @param media of files that can be sent, by type
 */
export function answerOnPhone(
  request: InputRequest,
  shown: readonly PhoneMessage[],
  { count, media, now }: { count: number; media: Readonly<Record<'image' | 'document', string>>; now: Date },
): PhoneAnswer {
  const options = optionsOf(shown)
  const chosen = options[count % Math.max(options.length, 1)]
  if (chosen) {
    const { type, id, title, messageId } = chosen
    return { content: { type: 'interactive', interactive: { type, [type]: { id, title } } }, replyTo: messageId }
  }
  switch (request.input) {
    case 'choice':
    case 'rating':
      // they are numbers in the text
      return text(String(1 + (count % Math.max(request.options.length, 1))))
    case 'email':
      return text('ada@example.com')
    case 'phone':
      return text('+49 170 1234567')
    case 'url':
      return text('https://a.example')
    case 'number':
      return text(String(Math.max(request.min ?? 7, Math.min(request.max ?? 7, 7))))
    case 'date':
      return text(dateFor(request, now))
    case 'file':
      return file(request.accept, media)
    case 'form':
      return text(request.fields.map(({ choices }) => choices[0] ?? 'Ada').join('\n'))
    case 'text':
      return request.wants === 'location'
        ? {
            content: {
              type: 'location',
              location: { latitude: 51.5, longitude: -0.1, name: 'London', address: 'London' },
            },
          }
        : text('Ada Lovelace'.padEnd(request.minLength ?? 0, '!'))
    case 'wait':
      throw new Error('A wait takes no answer.')
  }
}

function dateFor({ mode, min, range }: Extract<InputRequest, { input: 'date' }>, now: Date): string {
  const day = new Date(now.getTime() + 7 * 24 * 3_600_000).toISOString().slice(0, 10)
  const moment = min ?? { date: day, time: '09:30', 'date-time': `${day} 09:30` }[mode]
  return range ? `${moment}/${moment}` : moment
}

function file(accept: readonly string[], media: Readonly<Record<'image' | 'document', string>>): PhoneAnswer {
  const takesImages = accept.length === 0 || accept.some((type) => /image|png/.test(type))
  return takesImages
    ? { content: { type: 'image', image: { id: media.image, mime_type: 'image/png', sha256: 'x' } } }
    : {
        content: {
          type: 'document',
          document: { id: media.document, mime_type: 'application/pdf', sha256: 'x', filename: 'a.pdf' },
        },
      }
}
