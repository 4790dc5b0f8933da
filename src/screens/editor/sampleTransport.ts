import type { ChatTransport } from '../../widget/transport'
import type { ChatMessage, Conversation } from '../../widget/types'

/** How long a link to WhatsApp can be used. */
const LINK_MS = 15 * 60_000

/** What is said in the preview: one of each thing whose look can be changed. */
export interface SampleTexts {
  question: string
  answer: string
  source: string
  anything: string
  options: readonly string[]
  reply: string
}

/** A conversation that only the preview has: nothing is sent anywhere, and whatever is said gets the same answer. */
export function createSampleTransport(texts: SampleTexts, now: () => number): ChatTransport {
  let messages: ChatMessage[] = []
  const words = (text: string) => [{ type: 'paragraph' as const, children: [{ text }] }]
  const say = (author: 1 | 2, content: ChatMessage['content'], clientId?: string) => {
    const seq = messages.length + 1
    messages.push({
      id: `sample-${seq}`,
      seq,
      author,
      content,
      at: new Date(now()).toISOString(),
      ...(clientId && { client_id: clientId }),
    })
  }
  const begin = () => {
    messages = []
    say(2, { kind: 'text', text: words(texts.question) })
    say(1, { kind: 'answer', text: words(texts.answer), sources: [{ title: texts.source }] })
    say(1, { kind: 'text', text: words(texts.anything) })
  }
  const conversation = (): Conversation => ({
    id: 'sample0000000000',
    state: 'waiting',
    request: {
      input: 'choice',
      options: texts.options.map((label, index) => ({ id: `option-${index}`, label })),
      multiple: false,
      placeholder: '',
      typing: true,
      skippable: false,
    },
    messages: [...messages],
  })
  return {
    async open() {
      begin()
      return { conversation: conversation(), resumed: true }
    },
    async restart() {
      begin()
      return conversation()
    },
    async send(reply, clientId) {
      const chosen = reply.type === 'choice' ? texts.options[Number(reply.optionIds[0]?.slice('option-'.length))] : null
      say(2, { kind: 'text', text: words(reply.type === 'text' ? reply.text : (chosen ?? '')) }, clientId)
      say(1, { kind: 'text', text: words(texts.reply) })
      return conversation()
    },
    upload: () => Promise.reject(new Error('Nothing is sent from here')),
    listen: () => () => {},
    async rate() {},
    async sendTranscript() {},
    askForWhatsapp: async () => ({
      link: 'https://wa.me/',
      expires_at: new Date(now() + LINK_MS).toISOString(),
    }),
  }
}
