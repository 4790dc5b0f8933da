import { describe, expect, it } from 'vitest'
import { defaultLook } from '../../server/contracts/web/look'
import { draw, speak } from './firstView'
import type { ChatPage, Conversation } from './types'

const page: ChatPage = {
  name: 'Lamps & <Co>',
  language: 'auto',
  texts: { de: { restart: 'Von vorn' } },
  look: defaultLook,
  lock: null,
  login_url: null,
  closed: null,
  survey: null,
  consent: false,
}
const says = (...texts: string[]): Conversation => ({
  id: 'abcdabcdabcdabcd',
  state: 'waiting',
  request: { input: 'text', placeholder: '', required: true, long: false, maxLength: 100 },
  messages: texts.map((text, at) => ({
    id: `abcdabcdabcdabcd-${at + 1}`,
    seq: at + 1,
    author: 1,
    content: { kind: 'text', text: [{ type: 'paragraph' as const, children: [{ text }] }] },
    at: '2026-01-01T00:00:00.000Z',
  })),
})

describe('the chat as the server draws it', () => {
  it('has its first message, in the language of the visitor, with an editor’s own words', async () => {
    const spoken = await speak(page, 'de-AT')
    const { html } = draw({ page, spoken, conversation: says('Hello <b>you</b>', 'Later'), close: 'Schließen' })
    expect(spoken).toMatchObject({ language: 'de', dir: 'ltr', texts: { restart: 'Von vorn' } })
    expect(html).toContain('Von vorn')
    expect(html).toContain('aria-label="Schließen"')
    expect(html).toContain('Hello &lt;b>you&lt;/b>')
    expect(html).toContain('Lamps &amp; &lt;Co>')
    expect(html).not.toContain('Later')
  })

  it('has no button to close it where nothing closes it', async () => {
    const spoken = await speak(page, 'en')
    const { html } = draw({ page, spoken, conversation: says('Hello'), close: null })
    expect(html).not.toContain('aria-label="Close"')
  })

  it('is dark where the system is and the look follows it, and in a look’s own colours alone', async () => {
    const spoken = await speak(page, 'en')
    const drawn = (scheme: 'system' | 'dark', variables = {}) => {
      const look = { ...defaultLook, colours: { ...defaultLook.colours, scheme }, variables }
      return draw({ page: { ...page, look }, spoken, conversation: says('Hello'), close: null })
    }
    expect(drawn('system').darkStyle).toContain('color-scheme:dark!important')
    expect(drawn('dark').darkStyle).toBe('')
    expect(drawn('dark').html).toContain('color-scheme:dark')
    expect(drawn('system', { '--chat-header': '</style><script>' }).darkStyle).not.toContain('<')
  })
})
