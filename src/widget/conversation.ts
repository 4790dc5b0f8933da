import { type Backoff, createBackoff } from './backoff'
import { ChatFailure, type ChatTransport, createClientId, type Opened, type PhoneLink } from './transport'
import type { ChatMessage, Conversation, Draft, InputRequest, Reply } from './types'

/** A message that the server has not acknowledged yet. */
export interface PendingMessage {
  clientId: string
  reply: Reply
  /** what the visitor sees meanwhile */
  label: string
  /** `waiting` to be sent again by itself; `failed`: the server broke over it, and the visitor may send it again */
  state: 'sending' | 'waiting' | 'failed'
}

/** Something that a tester is told between messages; visitors have none. */
export interface ChatNote {
  id: string
  /** the number of the message that it stands behind; 0: before all */
  after: number
  text: string
  /** it stands out */
  marked: boolean
  details: readonly (readonly [label: string, value: string])[]
  more?: { label: string; run: () => void }
}

export interface ChatState {
  phase: 'loading' | 'ready' | 'gone' | 'failed'
  /** counts what was opened: another number is another conversation, or the same opened once more */
  opened: number
  /** by sequence number */
  messages: ChatMessage[]
  notes: readonly ChatNote[]
  pending: PendingMessage | null
  /** what the bot is writing; the message that it becomes takes its place */
  draft: Draft['text'] | null
  /** the name of the person who writes */
  writer: string | null
  /** how many come before this visitor, who waits for a person; null: nobody is waited for */
  before: number | null
  /** what this visitor is told, who waits for a person outside of the hours; null: they are there */
  away: Conversation['away'] | null
  /** the number of the message that stands where a draft stood: it was read as it was written */
  drafted: number
  request: InputRequest | null
  ended: boolean
  /** the number of the last message when the chat was opened: later ones arrive while the visitor watches */
  liveAfter: number
  /** there are messages before the first one here */
  earlier: boolean
  /** number of unread messages, and the number of the first; null: none since the visitor's last message */
  unread: number
  unreadFrom: number | null
  /** the chat is closed but for its first message */
  teaser: boolean
  /** false while nothing answers; messages are kept meanwhile */
  connected: boolean
  /** what the server said against the last message, for the visitor to change it, or against opening the chat */
  refusal: string | null
}

export interface ChatSession {
  state(): ChatState
  subscribe(listener: () => void): () => void
  open(): Promise<void>
  /**
   * goes on with a conversation that the page came with, in place of `open`
   * @param drawn its first message stood on the page before
   */
  take(opened: Opened, drawn: boolean): void
  send(reply: Reply, label: string): Promise<void>
  /** sends the message that did not arrive once more now, with the same client id */
  retry(): Promise<void>
  restart(): Promise<void>
  /**
   * starts again with the published version unless the visitor has written; if that fails, the present one continues
   */
  renew(): Promise<void>
  /** replaces the present conversation; all of its messages are shown at once, and unsent ones are kept */
  show(conversation: Conversation): void
  /** puts these notes in place of those that stand between the messages */
  annotate(notes: readonly ChatNote[]): void
  /** brings the messages before the first one. Throws ChatFailure */
  loadEarlier(): Promise<void>
  /** brings all of them before it returns, for paper; those that can't be had stay away */
  loadWhole(): void
  /** says whether a message helped, at once here; what the server refuses is taken back */
  rate(seq: number, helpful: boolean | null): Promise<void>
  /** what the transport can do beside talking */
  can: { rate: boolean; transcript: boolean; whatsapp: boolean }
  /** has the conversation mailed. Throws ChatFailure */
  sendTranscript(email: string): Promise<void>
  /** makes a link by which the visitor goes on at WhatsApp. Throws ChatFailure */
  askForWhatsapp(): Promise<PhoneLink>
  /** whether the page is visible, and the chat in it open: messages that arrive otherwise are counted as unread */
  setSeen(part: 'page' | 'chat', seen: boolean): void
  /** the visitor types: people who are in the conversation are told */
  typing(): void
  /** opens a chat that showed its first message alone */
  unfold(): void
  /** brings a file to the server; its id is what a reply sends */
  upload: ChatTransport['upload']
  close(): void
}

/** How long a person is shown to write, and how often it is said that the visitor does. */
const WRITES_MS = 6_000
const SAY_TYPING_MS = 3_000

const fresh: ChatState = {
  phase: 'loading',
  opened: 0,
  messages: [],
  notes: [],
  pending: null,
  draft: null,
  writer: null,
  before: null,
  away: null,
  drafted: 0,
  request: null,
  ended: false,
  liveAfter: 0,
  earlier: false,
  unread: 0,
  unreadFrom: null,
  teaser: false,
  connected: true,
  refusal: null,
}

/** The visitor's side of one conversation: state and what can be done to it, without any DOM. */
export function createChatSession(transport: ChatTransport, backoff: Backoff = createBackoff()): ChatSession {
  let state = fresh
  let stopListening = () => {}
  /** counts beginnings: what is answered for a conversation that was left comes too late */
  let begun = 0
  let openings = 0
  /** people are in the conversation */
  let people = false
  let typedAt = 0
  let writes: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  const seen = { page: true, chat: true }

  function change(part: Partial<ChatState>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  /**
   * Merges the server's state, unless it is older than the present one: new messages by number, and the expected input.
   */
  function merge(conversation: Conversation): void {
    const known = state.messages.at(-1)?.seq ?? 0
    const newest = conversation.messages.at(-1)?.seq ?? known
    const messages = new Map(state.messages.map((message) => [message.seq, message]))
    for (const message of conversation.messages) messages.set(message.seq, message)
    const sorted = [...messages.values()].sort((a, b) => a.seq - b.seq)
    const written =
      state.draft && sorted.find(({ seq, author, content }) => seq > known && author === 1 && isWords(content))
    const arrived = state.pending && sorted.some((message) => message.client_id === state.pending?.clientId)
    if (arrived) settle()
    const added = sorted.filter(({ seq }) => seq > known)
    if (newest >= known) people = conversation.people === true
    if (people && added.some(({ author }) => author === 1)) tellSeen()
    change({
      messages: sorted,
      ...(conversation.earlier === undefined ? {} : { earlier: conversation.earlier }),
      ...unreadAfter(added),
      ...(arrived ? { pending: null } : {}),
      ...(written ? { draft: null, drafted: written.seq } : {}),
      ...(newest >= known
        ? {
            request: conversation.request,
            ended: conversation.state === 'ended',
            before: conversation.before ?? null,
            away: conversation.away ?? null,
          }
        : {}),
      ...(added.some(({ sender }) => sender) ? { writer: null } : {}),
    })
  }

  /** Tells who wrote that it is read, while somebody looks. */
  function tellSeen(): void {
    if (seen.page && seen.chat) void transport.presence?.({ seen: true }).catch(() => undefined)
  }

  /** A person writes: unless that is said again, it is over after a while. */
  function showWriter(name: string): void {
    clearTimeout(writes)
    change({ writer: name })
    writes = setTimeout(() => change({ writer: null }), WRITES_MS)
  }

  /** What is unread once messages have come; what was there at the beginning is known. */
  function unreadAfter(added: readonly ChatMessage[]): Pick<ChatState, 'unread' | 'unreadFrom'> {
    const { unread, unreadFrom, liveAfter } = state
    const spoke = added.some(({ author }) => author === 2)
    const missed = seen.page && seen.chat ? [] : added.filter(({ author, seq }) => author === 1 && seq > liveAfter)
    return {
      unread: unread + missed.length,
      unreadFrom: (spoke ? null : unreadFrom) ?? missed[0]?.seq ?? null,
    }
  }

  /** Nothing is on its way any more. */
  function settle(): void {
    backoff.reset()
    transport.outbox?.write(null)
  }

  function listen(): void {
    stopListening()
    stopListening = transport.listen(
      state.messages.at(-1)?.seq ?? 0,
      merge,
      (connected) => {
        change({ connected })
        if (connected) backoff.hurry()
      },
      ({ after, text, by }) => {
        if (by) return showWriter(by)
        // one that comes after its message is over
        if ((state.messages.at(-1)?.seq ?? 0) <= after) change({ draft: text.length > 0 ? text : null })
      },
    )
  }

  async function begin(call: () => Promise<Opened>): Promise<void> {
    const beginning = ++begun
    try {
      const opened = await call()
      if (beginning === begun) take(opened)
    } catch (failure) {
      if (beginning !== begun) return
      const { reason, said } = asFailure(failure)
      change({ phase: reason === 'gone' ? 'gone' : 'failed', refusal: said })
    }
  }

  /** @param drawn the number of the last message that is read already */
  function take({ conversation, resumed, shows }: Opened, drawn = 0): void {
    const liveAfter = resumed ? (conversation.messages.at(-1)?.seq ?? 0) : 0
    const teaser = shows === 'teaser'
    state = { ...fresh, notes: state.notes, phase: 'ready', opened: ++openings, liveAfter, drafted: drawn, teaser }
    merge(conversation)
    listen()
    if (resumed) bringAgain()
  }

  /** Goes on with what the page was sending when it was left or loaded again. */
  function bringAgain(): void {
    const kept = transport.outbox?.read()
    if (!kept) return
    if (state.ended || state.messages.some((message) => message.client_id === kept.clientId)) settle()
    else void deliver({ ...kept, state: 'sending' })
  }

  /** Sends a message until it is answered: the client id makes it one, however often it arrives. */
  async function deliver(message: PendingMessage): Promise<void> {
    const asked = begun
    const { clientId, reply, label } = message
    transport.outbox?.write({ clientId, reply, label })
    change({ pending: { ...message, state: 'sending' }, refusal: null })
    try {
      const conversation = await transport.send(reply, clientId)
      if (asked !== begun) return
      merge(conversation)
      settle()
      change({ pending: null, draft: null, connected: true })
    } catch (failure) {
      // the stream may have brought it, though its answer was lost
      if (asked !== begun || state.pending?.clientId !== clientId) return
      const { reason, message: words, retryAfterMs } = asFailure(failure)
      if (reason === 'refused') {
        settle()
        change({ pending: null, refusal: words })
      } else if (reason === 'gone') {
        settle()
        change({ phase: 'gone' })
      } else if (reason === 'offline') {
        change({ pending: { ...message, state: 'waiting' } })
        backoff.again(() => void deliver(message), retryAfterMs)
      } else {
        change({ pending: { ...message, state: 'failed' } })
      }
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: () => begin(() => transport.open()),
    take(opened, drawn) {
      begun++
      const [first] = opened.conversation.messages
      take(opened, drawn && first && isWords(first.content) ? first.seq : 0)
    },
    async send(reply, label) {
      if (state.pending) return
      await deliver({ clientId: createClientId(), reply, label, state: 'sending' })
    },
    async retry() {
      if (state.pending && state.pending.state !== 'sending') await deliver(state.pending)
    },
    async restart() {
      stopListening()
      settle()
      change({ ...fresh })
      await begin(async () => ({ conversation: await transport.restart(), resumed: false }))
    },
    async renew() {
      const before = state
      if (before.phase !== 'ready' || before.pending || before.messages.some(({ author }) => author === 2)) return
      // nothing can be said meanwhile
      change({ phase: 'loading' })
      await transport.open().then(
        (opened) => take(opened),
        () => change(before),
      )
    },
    show(conversation) {
      stopListening()
      const { pending, notes } = state
      state = {
        ...fresh,
        notes,
        phase: 'ready',
        opened: openings,
        pending,
        liveAfter: conversation.messages.at(-1)?.seq ?? 0,
      }
      merge(conversation)
      listen()
    },
    async loadEarlier() {
      const [first] = state.messages
      if (!first || !state.earlier || !transport.earlier) return
      const beginning = begun
      const { messages, earlier } = await transport.earlier(first.seq)
      if (beginning !== begun) return
      const known = new Set(state.messages.map(({ seq }) => seq))
      change({ messages: [...messages.filter(({ seq }) => !known.has(seq)), ...state.messages], earlier })
    },
    loadWhole() {
      let { messages, earlier } = state
      while (earlier) {
        const [first] = messages
        const page = first && transport.earlierNow?.(first.seq)
        const before = page ? page.messages.filter(({ seq }) => seq < first.seq) : []
        // a page without anything new would be asked for again and again
        if (!page || before.length === 0) break
        messages = [...before, ...messages]
        earlier = page.earlier
      }
      if (messages !== state.messages) change({ messages, earlier })
    },
    async rate(seq, helpful) {
      const was = state.messages.find((message) => message.seq === seq)?.helpful ?? null
      const mark = (value: boolean | null) =>
        change({
          messages: state.messages.map((message) => (message.seq === seq ? { ...message, helpful: value } : message)),
        })
      mark(helpful)
      await transport.rate?.(seq, helpful).catch(() => mark(was))
    },
    can: {
      rate: transport.rate !== undefined,
      transcript: transport.sendTranscript !== undefined,
      whatsapp: transport.askForWhatsapp !== undefined,
    },
    async askForWhatsapp() {
      if (!transport.askForWhatsapp) throw new ChatFailure('refused', 'This chat can’t continue on WhatsApp')
      return transport.askForWhatsapp()
    },
    async sendTranscript(email) {
      await transport.sendTranscript?.(email)
    },
    setSeen(part, isSeen) {
      seen[part] = isSeen
      if (!(seen.page && seen.chat) || state.unread === 0) return
      if (people) tellSeen()
      change({ unread: 0 })
    },
    typing() {
      if (!people || Date.now() - typedAt < SAY_TYPING_MS) return
      typedAt = Date.now()
      void transport.presence?.({ typing: true }).catch(() => undefined)
    },
    annotate: (notes) => change({ notes }),
    unfold: () => change({ teaser: false }),
    upload: transport.upload,
    close() {
      stopListening()
      clearTimeout(writes)
      backoff.reset()
      listeners.clear()
    },
  }
}

const isWords = ({ kind }: ChatMessage['content']): boolean => kind === 'answer' || kind === 'text'

const asFailure = (thrown: unknown): ChatFailure =>
  thrown instanceof ChatFailure ? thrown : new ChatFailure('failed', String(thrown), { cause: thrown })
