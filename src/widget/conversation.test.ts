import { describe, expect, it } from 'vitest'
import type { Backoff } from './backoff'
import { createChatSession } from './conversation'
import { ChatFailure, type ChatTransport } from './transport'
import type { ChatMessage, Conversation } from './types'

function said(seq: number, author: 1 | 2, text: string, clientId?: string): ChatMessage {
  const content = { kind: 'text' as const, text: [{ type: 'paragraph' as const, children: [{ text }] }] }
  return {
    id: `m${seq}`,
    seq,
    author,
    content,
    at: '2026-01-01T00:00:00.000Z',
    ...(clientId ? { client_id: clientId } : {}),
  }
}

function conversation(messages: ChatMessage[], change: Partial<Conversation> = {}): Conversation {
  const request = { input: 'text' as const, long: false, placeholder: '', required: true, maxLength: 100 }
  return { id: 'a'.repeat(16), state: 'waiting', request, messages, ...change }
}

/** A server made of answers in the order they are wanted; `push` is what the event stream brings. */
function createScript(answers: ((clientId: string) => Conversation | ChatFailure)[]) {
  const sent: string[] = []
  let push: (update: Conversation) => void = () => {}
  let draft: Parameters<ChatTransport['listen']>[3] = () => {}
  const answer = (clientId: string): Promise<Conversation> => {
    const next = answers.shift()?.(clientId)
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next as Conversation)
  }
  const transport: ChatTransport = {
    open: async () => ({ conversation: await answer(''), resumed: false }),
    restart: () => answer(''),
    send(_, clientId) {
      sent.push(clientId)
      return answer(clientId)
    },
    upload: () => Promise.reject(new ChatFailure('offline', 'not here')),
    listen(_, onUpdate, __, onDraft) {
      push = onUpdate
      draft = onDraft
      return () => {}
    },
  }
  const write = (after: number, text: string) =>
    draft({ after, text: text === '' ? [] : [{ type: 'paragraph', children: [{ text }] }] })
  return { transport, sent, push: (update: Conversation) => push(update), write }
}

/** Waits for a word instead of for some time; `waits` has what the server asked for. */
function createStillBackoff() {
  const waits: number[] = []
  let run = () => {}
  const backoff: Backoff = {
    again(attempt, atLeastMs = 0) {
      waits.push(atLeastMs)
      run = attempt
    },
    hurry: () => {},
    reset: () => {},
  }
  const next = async () => {
    run()
    await new Promise((done) => setTimeout(done))
  }
  return { backoff, waits, next }
}
const createSession = (transport: ChatTransport) => createChatSession(transport, createStillBackoff().backoff)

describe('a chat session', () => {
  it('shows what is being written until its message is there, which is not shown as new', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      (id) => conversation([said(2, 2, 'Ada', id), said(3, 1, 'Hello Ada'), said(4, 1, 'More?')]),
    ])
    const session = createSession(script.transport)
    await session.open()
    const sent = session.send({ type: 'text', text: 'Ada' }, 'Ada')
    script.write(2, 'Hello')
    expect(session.state().draft).toEqual([{ type: 'paragraph', children: [{ text: 'Hello' }] }])
    await sent
    expect(session.state()).toMatchObject({ draft: null, drafted: 3 })
    // one that was late on its way
    script.write(2, 'Hello Ada')
    expect(session.state().draft).toBeNull()
    script.write(4, 'Something')
    script.write(4, '')
    expect(session.state().draft).toBeNull()
  })

  it('shows a message that comes by answer and by stream once', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      (id) => conversation([said(2, 2, 'Ada', id), said(3, 1, 'Hello Ada')]),
    ])
    const session = createSession(script.transport)
    await session.open()
    await session.send({ type: 'text', text: 'Ada' }, 'Ada')
    script.push(conversation([said(2, 2, 'Ada'), said(3, 1, 'Hello Ada')]))
    expect(session.state().messages.map((message) => message.seq)).toEqual([1, 2, 3])
    expect(session.state().pending).toBeNull()
  })

  it('sends what did not arrive again by itself, under the same client id, when the server wants it', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      () => new ChatFailure('offline', 'no answer'),
      () => new ChatFailure('offline', 'busy', { retryAfterMs: 60_000 }),
      (id) => conversation([said(2, 2, 'Ada', id)]),
    ])
    const { backoff, waits, next } = createStillBackoff()
    const session = createChatSession(script.transport, backoff)
    await session.open()
    await session.send({ type: 'text', text: 'Ada' }, 'Ada')
    expect(session.state().pending).toMatchObject({ label: 'Ada', state: 'waiting' })
    await next()
    expect(session.state().pending).toMatchObject({ state: 'waiting' })
    await next()
    expect(session.state()).toMatchObject({ pending: null, messages: [{ seq: 1 }, { seq: 2 }] })
    expect(waits).toEqual([0, 60_000])
    expect([script.sent.length, new Set(script.sent).size]).toEqual([3, 1])
  })

  it('goes on after a reload with what was on its way, under the same client id, unless it has arrived', async () => {
    for (const arrived of [false, true]) {
      const kept = { clientId: 'c-1', reply: { type: 'text' as const, text: 'Ada' }, label: 'Ada' }
      const written: unknown[] = []
      const script = createScript([
        () => conversation([said(1, 1, 'Hi'), ...(arrived ? [said(2, 2, 'Ada', 'c-1')] : [])]),
        (id) => conversation([said(2, 2, 'Ada', id)]),
      ])
      const session = createSession({
        ...script.transport,
        open: async () => ({ ...(await script.transport.open()), resumed: true }),
        outbox: { read: () => kept, write: (message) => written.push(message) },
      })
      await session.open()
      await expect.poll(() => session.state()).toMatchObject({ pending: null, messages: [{ seq: 1 }, { seq: 2 }] })
      expect(script.sent).toEqual(arrived ? [] : ['c-1'])
      expect(written.at(-1)).toBeNull()
    }
  })

  it('keeps what the server broke over, for the visitor to send again', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      () => new ChatFailure('failed', 'An error occured!'),
      (id) => conversation([said(2, 2, 'Ada', id)]),
    ])
    const session = createSession(script.transport)
    await session.open()
    await session.send({ type: 'text', text: 'Ada' }, 'Ada')
    expect(session.state().pending).toMatchObject({ label: 'Ada', state: 'failed' })
    await session.retry()
    expect(session.state().pending).toBeNull()
    expect(new Set(script.sent).size).toBe(1)
    expect(script.sent).toHaveLength(2)
  })

  it('does not let an update that comes late bring an older request back', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      (id) => conversation([said(2, 2, 'Ada', id), said(3, 1, 'Bye')], { state: 'ended', request: null }),
    ])
    const session = createSession(script.transport)
    await session.open()
    await session.send({ type: 'text', text: 'Ada' }, 'Ada')
    script.push(conversation([said(1, 1, 'Hi')]))
    expect(session.state()).toMatchObject({ ended: true, request: null })
  })

  it('tells the visitor what the server refused and lets them write again', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      () => new ChatFailure('refused', 'Must not exceed 20000 characters'),
    ])
    const session = createSession(script.transport)
    await session.open()
    await session.send({ type: 'text', text: 'x' }, 'x')
    expect(session.state()).toMatchObject({ refusal: 'Must not exceed 20000 characters', pending: null })
  })

  it('keeps what is answered for a conversation that was left out of the next one', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      () => conversation([said(1, 1, 'Hi again')]),
      () => conversation([said(1, 1, 'Hi again')]),
    ])
    let answer = (_: ReturnType<typeof conversation>) => {}
    const session = createSession({
      ...script.transport,
      send: () => new Promise((resolve) => (answer = resolve)),
    })
    await session.open()
    const sent = session.send({ type: 'text', text: 'Ada' }, 'Ada')
    await session.restart()
    answer(conversation([said(1, 1, 'Hi'), said(2, 2, 'Ada'), said(3, 1, 'Bye')], { state: 'ended', request: null }))
    await sent
    expect(session.state()).toMatchObject({ ended: false, pending: null, messages: [{ seq: 1 }] })
  })

  it('begins anew with what is published now while its visitor has said nothing, and keeps what is there where that fails', async () => {
    const script = createScript([
      () => conversation([said(1, 1, 'Hi')]),
      () => new ChatFailure('offline', 'The server did not answer'),
      () => conversation([said(1, 1, 'Good day'), said(2, 1, 'How are you?')], { id: 'b'.repeat(16) }),
      (id) => conversation([said(3, 2, 'Well', id)]),
      () => conversation([said(1, 1, 'Never shown')]),
    ])
    const session = createSession(script.transport)
    await session.open()
    const texts = () => session.state().messages.map(({ id }) => id)
    await session.renew()
    expect(session.state()).toMatchObject({ phase: 'ready', messages: [said(1, 1, 'Hi')] })
    const renewed = session.renew()
    // nothing can be said in between: it would be said to the conversation before
    expect(session.state().phase).toBe('loading')
    await renewed
    expect(session.state()).toMatchObject({ phase: 'ready', liveAfter: 0 })
    expect(texts()).toEqual(['m1', 'm2'])
    await session.send({ type: 'text', text: 'Well' }, 'Well')
    await session.renew()
    expect(texts()).toEqual(['m1', 'm2', 'm3'])
  })

  it('keeps what is on its way when an earlier moment is shown', async () => {
    const script = createScript([() => conversation([said(1, 1, 'Hi')])])
    const session = createSession({ ...script.transport, send: () => new Promise(() => {}) })
    await session.open()
    void session.send({ type: 'text', text: 'Ada' }, 'Ada')
    session.show(conversation([said(1, 1, 'Hi')]))
    expect(session.state()).toMatchObject({ pending: { label: 'Ada', state: 'sending' } })
  })

  it('has all messages before it is printed, or those that can be had, and never asks for the same twice', async () => {
    const printed = async (earlierNow: NonNullable<ChatTransport['earlierNow']>) => {
      const script = createScript([() => conversation([said(5, 1, 'Newest')], { earlier: true })])
      const session = createSession({ ...script.transport, earlierNow })
      await session.open()
      session.loadWhole()
      const { messages, earlier } = session.state()
      return [messages.map(({ seq }) => seq), earlier]
    }
    const page = (earlier: boolean, ...seqs: number[]) => ({
      messages: seqs.map((seq) => said(seq, 1, 'One')),
      earlier,
    })
    const asked: number[] = []
    const all = await printed((before) => {
      asked.push(before)
      return before === 5 ? page(true, 3, 4) : page(false, 1, 2)
    })
    expect(all).toEqual([[1, 2, 3, 4, 5], false])
    expect(asked).toEqual([5, 3])
    expect(await printed((before) => (before === 5 ? page(true, 4) : null))).toEqual([[4, 5], true])
    // an answer without anything new ends it
    expect(await printed(() => page(true, 5))).toEqual([[5], true])
  })

  it('says that a chatbot is gone, and apart from it that nothing answered', async () => {
    const gone = createSession(createScript([() => new ChatFailure('gone', 'x')]).transport)
    await gone.open()
    expect(gone.state().phase).toBe('gone')
    const failed = createSession(createScript([() => new ChatFailure('offline', 'x')]).transport)
    await failed.open()
    expect(failed.state()).toMatchObject({ phase: 'failed', refusal: null })
    const refused = createSession(createScript([() => new ChatFailure('offline', 'x', { said: 'Later' })]).transport)
    await refused.open()
    expect(refused.state()).toMatchObject({ phase: 'failed', refusal: 'Later' })
  })
})
