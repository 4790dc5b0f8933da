import { openEventStream } from './eventStream'
import { createOutbox } from './outbox'
import { postFile } from './postFile'
import { ChatFailure, type ChatTransport, createClientId, failureOf, type Opened, retryAfterOf } from './transport'
import type { ChatPage, Conversation, Draft, Reply } from './types'

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface Ticket {
  id: string
  token: string
}

/**
 * The visitor's transport over the public routes of server/modules/conversations/chat. The browser keeps who the visitor is and the ticket of the
 * conversation (`browser`), and in each tab which visit it is (`visit`).
 */
export function createHttpTransport(slug: string, browser: Kept, visit: Kept): ChatTransport {
  const key = `parley:${slug}`
  const base = `/api/chat/${encodeURIComponent(slug)}`
  const sameVisit = visit.getItem('parley:visit') !== null
  const who = { visitor: idIn(browser, 'parley:visitor'), visit: idIn(visit, 'parley:visit') }
  let ticket = readTicket(browser.getItem(key))

  /** @param present goes on unless something begins for this visit in particular */
  async function start(present?: Ticket): Promise<Opened> {
    const body = {
      client_id: createClientId(),
      ...who,
      url: location.href.slice(0, 2_048),
      language: navigator.language,
      ...(present && { resume: { conversation: present.id, token: present.token } }),
    }
    const { token, ...opened } = await call<Opened & { token: string }>(`${base}/conversations`, { body })
    ticket = { id: opened.conversation.id, token }
    browser.setItem(key, JSON.stringify(ticket))
    return opened
  }

  return {
    async open() {
      if (!ticket || !sameVisit) return start(ticket ?? undefined)
      try {
        const { id, token } = ticket
        const { conversation } = await call<{ conversation: Conversation }>(`${base}/conversations/${id}`, { token })
        return { conversation, resumed: true }
      } catch (failure) {
        if (!(failure instanceof ChatFailure) || failure.reason !== 'gone') throw failure
        browser.removeItem(key)
        return start()
      }
    },

    async send(reply: Reply, clientId: string) {
      if (!ticket) throw new ChatFailure('gone', 'No conversation is open')
      const { id, token } = ticket
      const body = { client_id: clientId, reply }
      return (await call<{ conversation: Conversation }>(`${base}/conversations/${id}/messages`, { token, body }))
        .conversation
    },

    restart: async () => (await start()).conversation,

    async upload(file, onProgress, stop) {
      if (!ticket) throw new ChatFailure('gone', 'No conversation is open')
      const { id, token } = ticket
      const headers = { authorization: `Bearer ${token}` }
      const path = `${base}/conversations/${id}/files`
      return (await postFile<{ file: { id: string } }>(path, file, headers, onProgress, stop)).file.id
    },

    async rate(seq, helpful) {
      if (!ticket) return
      const { id, token } = ticket
      await call(`${base}/conversations/${id}/messages/${seq}/rating`, { token, body: { helpful } })
    },
    async earlier(before) {
      if (!ticket) return { messages: [], earlier: false }
      const { id, token } = ticket
      return call(`${base}/conversations/${id}/messages?${new URLSearchParams({ before: String(before) })}`, { token })
    },
    async sendTranscript(email) {
      if (!ticket) return
      const { id, token } = ticket
      await call(`${base}/conversations/${id}/transcript`, { token, body: { email } })
    },
    listen(after, onUpdate, onConnected, onDraft) {
      if (!ticket) return () => {}
      const { id, token } = ticket
      return openEventStream({
        addressOf: (last) =>
          `${base}/conversations/${id}/events?${new URLSearchParams({ token, after: String(last) })}`,
        after,
        on: {
          update: (data) => onUpdate((data as { conversation: Conversation }).conversation),
          draft: (data) => onDraft(data as Draft),
        },
        onConnected,
      })
    },

    outbox: createOutbox(visit, `parley:outbox:${slug}`, () => ticket?.id ?? ''),
  }
}

/** A published chatbot as its visitors meet it. Throws ChatFailure `gone` when nothing is published there. */
export async function readChatPage(slug: string): Promise<ChatPage> {
  return call(`/api/chat/${encodeURIComponent(slug)}`, {})
}

async function call<Data>(path: string, { token, body }: { token?: string; body?: unknown }): Promise<Data> {
  let response: Response
  try {
    response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch (cause) {
    throw new ChatFailure('offline', 'The server did not answer', { cause })
  }
  const answer = (await response.json().catch(() => null)) as { success?: boolean; data?: unknown } | null
  if (answer?.success) return answer.data as Data
  const text = typeof answer?.data === 'string' ? answer.data : (answer?.data as { message?: string } | null)?.message
  throw new ChatFailure(failureOf(response.status), text ?? `The server answered ${response.status}`, {
    retryAfterMs: retryAfterOf(response.headers),
    said: text ?? null,
  })
}

function idIn(kept: Kept, key: string): string {
  const known = kept.getItem(key)
  if (known && /^[a-z0-9]{16}$/.test(known)) return known
  const id = createClientId()
  kept.setItem(key, id)
  return id
}

/** A browser's storage; where it has none (a frame, a strict setting), what is kept lasts as long as the page. */
export function keptIn(open: () => Storage): Kept {
  try {
    const storage = open()
    storage.getItem('parley:visit')
    return storage
  } catch {
    const values = new Map<string, string>()
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    }
  }
}

function readTicket(stored: string | null): Ticket | null {
  if (!stored) return null
  try {
    const value = JSON.parse(stored) as Partial<Ticket>
    return typeof value.id === 'string' && typeof value.token === 'string' ? { id: value.id, token: value.token } : null
  } catch {
    return null
  }
}
