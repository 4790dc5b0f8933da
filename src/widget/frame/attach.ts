import type { ChatSession } from '../conversation'
import type { FromFrame, SignedUser } from '../embed/protocol'
import type { ChatMessage } from '../types'

interface Page {
  /** the visitor sees the chat */
  open: boolean
  post(message: FromFrame): void
  /** the number of the last message that was seen; -1: none is known */
  seen: { read(): number; write(seq: number): void }
  /** how what began for this page is shown */
  shows(): 'open' | 'teaser' | null
  as(user: SignedUser | null): void
  isKnown(): boolean
}

/** Tells the page what happens in the chat, and does what it asks. */
export function attach(session: ChatSession, page: Page) {
  let { open } = page
  let told = 0
  let seen = -1
  let counted = -1
  let opened = 0
  let waiting: string[] = []

  const isBots = ({ author }: ChatMessage) => author === 1

  function look(): void {
    const state = session.state()
    const { phase, messages, liveAfter, request, pending, ended, teaser } = state
    if (phase === 'failed' && page.isKnown()) return void refuse()
    if (phase !== 'ready') return
    const last = messages.at(-1)?.seq ?? 0
    if (opened !== state.opened) {
      opened = state.opened
      told = liveAfter
      const known = page.seen.read()
      // in a conversation that is new, nothing was seen
      seen = liveAfter === 0 ? 0 : known >= 0 ? known : last
      counted = -1
      page.post({ parley: 'ready', shows: page.shows() })
      if (open) focus()
    }
    for (const message of messages) {
      if (message.seq <= told) continue
      told = message.seq
      page.post({ parley: 'message', from: isBots(message) ? 'bot' : 'visitor', text: textOf(message.content) })
    }
    if (open && teaser) session.unfold()
    if (open && seen !== last) {
      seen = last
      page.seen.write(last)
    }
    const unseen = messages.filter((message) => isBots(message) && message.seq > seen)
    if (counted !== unseen.length) {
      counted = unseen.length
      const words = unseen.map(({ content }) => textOf(content)).find((text) => text !== '') ?? ''
      page.post({ parley: 'unread', count: unseen.length, text: words })
    }
    const [text] = waiting
    if (text === undefined || pending || !request || request.input === 'wait' || ended) return
    waiting = waiting.slice(1)
    void session.send({ type: 'text', text }, text)
  }

  /** The site's signature was wrong: the visitor is nobody known. */
  function refuse(): void {
    const problem = session.state().refusal ?? 'The user was refused.'
    page.as(null)
    page.post({ parley: 'user', problem })
    void session.open()
  }

  session.subscribe(look)
  session.setSeen('chat', open)
  // a conversation may be there already
  look()

  return {
    shown(now: boolean) {
      open = now
      session.setSeen('chat', now)
      look()
      if (now) focus()
    },
    send(text: string) {
      waiting = [...waiting, text]
      look()
    },
    async user(user: SignedUser | null) {
      page.as(user)
      await session.open()
      if (session.state().phase === 'ready') page.post({ parley: 'user', problem: null })
    },
    visit: () => session.open(),
  }
}

/** Where one goes on. On a phone the keyboard stays away until it is wanted. */
function focus(): void {
  if (matchMedia('(pointer: coarse)').matches) return
  document.querySelector<HTMLElement>('textarea, input:not([type=hidden])')?.focus({ preventScroll: true })
}

/** What a message says, without its form. */
function textOf(content: ChatMessage['content']): string {
  const words = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(words).filter(Boolean).join(' ')
    if (typeof value !== 'object' || value === null) return ''
    if ('text' in value && typeof value.text === 'string') return value.text
    return 'children' in value ? inline(value.children) : ''
  }
  const inline = (children: unknown): string => (Array.isArray(children) ? children.map(words).join('') : '')
  if ('text' in content) return typeof content.text === 'string' ? content.text : words(content.text)
  return 'label' in content && typeof content.label === 'string' ? content.label : ''
}
