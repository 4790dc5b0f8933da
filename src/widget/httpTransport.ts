import { ChatFailure, type ChatTransport, createClientId } from './transport'
import type { Conversation, Reply } from './types'

interface Ticket {
  id: string
  token: string
}

/** The visitor's transport over the public routes of server/api/chat; the ticket of the conversation is kept in `storage`. */
export function createHttpTransport(
  slug: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): ChatTransport {
  const key = `parley:${slug}`
  const base = `/api/chat/${encodeURIComponent(slug)}`
  let ticket = readTicket(storage.getItem(key))

  async function start(): Promise<Conversation> {
    const data = await call<{ token: string; conversation: Conversation }>(`${base}/conversations`, {
      body: { client_id: createClientId() },
    })
    ticket = { id: data.conversation.id, token: data.token }
    storage.setItem(key, JSON.stringify(ticket))
    return data.conversation
  }

  return {
    async open() {
      if (!ticket) return start()
      try {
        const { id, token } = ticket
        return (await call<{ conversation: Conversation }>(`${base}/conversations/${id}`, { token })).conversation
      } catch (failure) {
        if (!(failure instanceof ChatFailure) || failure.reason !== 'gone') throw failure
        storage.removeItem(key)
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

    restart: start,

    listen(after, onUpdate, onConnected) {
      if (!ticket) return () => {}
      const query = new URLSearchParams({ token: ticket.token, after: String(after) })
      const source = new EventSource(`${base}/conversations/${ticket.id}/events?${query}`)
      source.addEventListener('update', (event) => {
        onUpdate((JSON.parse(event.data) as { conversation: Conversation }).conversation)
      })
      source.addEventListener('open', () => onConnected(true))
      source.addEventListener('error', () => onConnected(false))
      return () => source.close()
    },
  }
}

/** The name of a published chatbot. Throws ChatFailure `gone` when nothing is published there. */
export async function readChatPage(slug: string): Promise<{ name: string; language: string }> {
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
  if (response.status === 404) throw new ChatFailure('gone', text ?? 'Not found')
  throw new ChatFailure(
    response.status >= 500 ? 'offline' : 'refused',
    text ?? `The server answered ${response.status}`,
  )
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
