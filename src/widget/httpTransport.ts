import { ownPage, type Surroundings } from './frame/surroundings'
import { createOutbox } from './outbox'
import { postFile } from './postFile'
import { readNow } from './readNow'
import { openSharedStream } from './sharedStream'
import { ChatFailure, type ChatTransport, createClientId, failureOf, type Opened, retryAfterOf } from './transport'
import type { BegunChat, ChatPage, Conversation, Draft, Publication, Reply } from './types'

export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Variables = Readonly<Record<string, string | number | boolean>>

export interface Ticket {
  id: string
  token: string
}

export interface HttpTransport extends ChatTransport {
  setVariables(variables: Variables): Promise<void>
  /**
   * Tells the server what the visitor consents to, once there is a conversation; where it can't be reached, with the
   * next message.
   * @param question as it was shown; empty: the site that the chat stands on has asked
   * @param analytics whether the visit counts; left out: as before
   */
  consent(given: boolean, question: string, analytics?: boolean): Promise<void>
  /**
   * goes on with a conversation that the page came with; null where the visitor is known, or has one: that is to be
   * opened
   */
  take(begun: BegunChat): Opened | null
}

/**
 * The visitor's transport over the public routes of server/modules/conversations/chat. The visitor's id and the
 * conversation's ticket are kept for the browser (`browser`), the id of the visit for each tab (`visit`).
 */
export function createHttpTransport(slug: string, browser: Kept, visit: Kept, page: PageState = {}): HttpTransport {
  const { access, ticket: linked = null, isClosed = () => false, onLocked, onLanguage, surroundings = ownPage } = page
  // nobody goes on in the conversation of somebody else who used this browser
  const keyOf = () => {
    const user = surroundings.user()
    return user ? `${ticketKey(slug)}:${user.id}` : ticketKey(slug)
  }
  const base = `/api/chat/${encodeURIComponent(slug)}`
  const sameVisit = visit.getItem('parley:visit') !== null
  const isNew = !sameVisit && browser.getItem('parley:visitor') === null
  let who = { visitor: idIn(browser, 'parley:visitor'), visit: idIn(visit, 'parley:visit') }
  // who comes by the link of a mail goes on in its conversation, whichever this browser had
  if (linked) browser.setItem(keyOf(), JSON.stringify(linked))
  let ticket = readTicket(browser.getItem(keyOf()))

  /** @param present goes on unless something begins for this visit in particular */
  async function start(present?: Ticket, anew = false): Promise<Opened> {
    const user = surroundings.user()
    const variables = surroundings.variables()
    const frame = await surroundings.token(anew)
    const body = {
      client_id: createClientId(),
      ...who,
      ...(access && { access }),
      ...(frame && { frame }),
      ...(user && { user }),
      ...(Object.keys(variables).length > 0 && { variables }),
      url: surroundings.url().slice(0, 2_048),
      language: navigator.language,
      ...(present && { resume: { conversation: present.id, token: present.token } }),
    }
    const answer = await ask<Opened & { token: string }>(`${base}/conversations`, { body }).catch(
      (failure: ChatFailure) => {
        if (anew || !frame || failure.code !== 'forbidden') throw failure
        return null
      },
    )
    if (!answer) return start(present, true)
    const { token, ...opened } = answer
    ticket = { id: opened.conversation.id, token }
    browser.setItem(keyOf(), JSON.stringify(ticket))
    surroundings.opened(opened)
    void tellConsent()
    return opened
  }

  let consent: { given: boolean; question: string; analytics?: boolean } | null = null
  /** the conversation that was told it: each further one of this page is told as well */
  let toldTo: string | null = null
  let isTelling = false
  /** One after the other: what was said last stands. */
  async function tellConsent(): Promise<void> {
    if (isTelling) return
    isTelling = true
    try {
      while (consent && ticket && ticket.id !== toldTo) {
        const told = consent
        const { id, token } = ticket
        await call(`${base}/conversations/${id}/consent`, { token, body: told })
        if (consent === told) toldTo = id
      }
    } catch {
      // said again with the next message
    }
    isTelling = false
  }

  return {
    take({ visitor, visit: ofTab, token, conversation }) {
      if (!isNew || ticket || surroundings.user() || Object.keys(surroundings.variables()).length > 0) return null
      who = { visitor, visit: ofTab }
      browser.setItem('parley:visitor', visitor)
      visit.setItem('parley:visit', ofTab)
      ticket = { id: conversation.id, token }
      browser.setItem(keyOf(), JSON.stringify(ticket))
      const opened = { conversation, resumed: false }
      surroundings.opened(opened)
      void tellConsent()
      return opened
    },

    async open() {
      // another tab may have begun anew meanwhile
      ticket = readTicket(browser.getItem(keyOf())) ?? (surroundings.user() ? null : ticket)
      // who came by a new pass opens the conversation with it; outside of the hours it is read alone
      const closed = isClosed()
      if (!ticket || ((!sameVisit || access || surroundings.asks()) && !closed)) return start(ticket ?? undefined)
      try {
        const { id, token } = ticket
        const path = `${base}/conversations/${id}`
        const { conversation, renews } = await ask<{ conversation: Conversation; renews: boolean }>(path, { token })
        if (renews && !closed) return start(ticket)
        surroundings.opened({ resumed: true })
        void tellConsent()
        return { conversation, resumed: true }
      } catch (failure) {
        if (!(failure instanceof ChatFailure) || failure.reason !== 'gone') throw failure
        if (closed) throw failure
        browser.removeItem(keyOf())
        return start()
      }
    },

    async send(reply: Reply, clientId: string) {
      if (!ticket) throw new ChatFailure('gone', 'No conversation is open')
      const { id, token } = ticket
      const body = { client_id: clientId, reply }
      const path = `${base}/conversations/${id}/messages`
      const said = await ask<{ conversation: Conversation; language: string | null }>(path, { token, body })
      if (said.language) onLanguage?.(said.language)
      void tellConsent()
      return said.conversation
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
    earlierNow(before) {
      if (!ticket) return null
      const { id, token } = ticket
      return readNow(`${base}/conversations/${id}/messages?${new URLSearchParams({ before: String(before) })}`, token)
    },
    async presence(state) {
      if (!ticket) return
      const { id, token } = ticket
      await call(`${base}/conversations/${id}/presence`, { token, body: state })
    },
    async sendTranscript(email) {
      if (!ticket) return
      const { id, token } = ticket
      await call(`${base}/conversations/${id}/transcript`, { token, body: { email } })
    },
    async askForWhatsapp() {
      if (!ticket) throw new ChatFailure('gone', 'No conversation is open')
      const { id, token } = ticket
      return call(`${base}/conversations/${id}/whatsapp-link`, { token, body: {} })
    },
    listen(after, onUpdate, onConnected, onDraft) {
      if (!ticket) return () => {}
      const { id, token } = ticket
      return openSharedStream(`parley:${id}`, {
        addressOf: (last) =>
          `${base}/conversations/${id}/events?${new URLSearchParams({ token, after: String(last) })}`,
        after,
        on: {
          update: (data) => onUpdate((data as { conversation: Conversation }).conversation),
          draft: (data) => onDraft(data as Draft),
          published: (data) => surroundings.published(data as Publication),
        },
        onConnected,
      })
    },

    consent(given, question, analytics) {
      consent = { given, question, ...(analytics !== undefined && { analytics }) }
      toldTo = null
      return tellConsent()
    },

    async setVariables(variables) {
      if (!ticket) return
      const { id, token } = ticket
      await ask(`${base}/conversations/${id}/variables`, { token, body: { variables } })
    },

    outbox: createOutbox(visit, `parley:outbox:${slug}`, () => ticket?.id ?? ''),

    survey: {
      isAnswered: () => ticket !== null && browser.getItem(`parley:survey:${slug}`) === ticket.id,
      async answer(answer) {
        if (!ticket) throw new ChatFailure('gone', 'No conversation is open')
        const { id, token } = ticket
        await ask(`${base}/conversations/${id}/survey`, { token, body: answer })
        browser.setItem(`parley:survey:${slug}`, id)
      },
    },
  }

  /** Calls; where the page has been locked meanwhile, it is told. */
  async function ask<Data>(path: string, sent: { token?: string; body?: unknown }): Promise<Data> {
    try {
      return await call<Data>(path, sent)
    } catch (failure) {
      if (failure instanceof ChatFailure && LOCKED.includes(failure.code ?? '')) onLocked?.()
      throw failure
    }
  }
}

const LOCKED = ['password_required', 'login_required']

/** What a page knows of its chatbot. */
interface PageState {
  /** what it was opened with, where it is locked */
  access?: string | null
  /** the conversation of the mail whose link led here */
  ticket?: Ticket | null
  /** outside of its hours: a conversation that there is can be read */
  isClosed?: () => boolean
  /** told the language of what the visitor has written, where the server recognises it */
  onLanguage?: (language: string) => void
  /** where the chat stands; left out: on its own page */
  surroundings?: Surroundings
  /** told when a call was refused since the page wants another pass */
  onLocked?: () => void
}

const ticketKey = (slug: string): string => `parley:${slug}`

/** The conversation that the link of a mail leads to, from the address's fragment; null: it is none. */
export function ticketOf(hash: string): Ticket | null {
  const [, id, token] = /^#parley=([a-z0-9]{16})\.([\w-]{43})$/.exec(hash) ?? []
  return id && token ? { id, token } : null
}

/** Whether this browser has a conversation with a chatbot. */
export const hasConversation = (slug: string, browser: Kept): boolean =>
  readTicket(browser.getItem(ticketKey(slug))) !== null

/** The token of a link that was sent to somebody at WhatsApp, from the address's fragment; null: it has none. */
export const linkTokenOf = (hash: string): string | null => /^#whatsapp=([0-9a-f]{32})$/.exec(hash)?.[1] ?? null

/** The conversation that such a link leads to; null: it was used already, or is too old. */
export async function openLink(slug: string, token: string): Promise<Ticket | null> {
  const body = { client_id: createClientId(), token }
  try {
    const opened = await call<{ conversation: string; token: string }>(
      `/api/chat/${encodeURIComponent(slug)}/from-whatsapp`,
      { body },
    )
    return { id: opened.conversation, token: opened.token }
  } catch (error) {
    if (error instanceof ChatFailure) return null
    throw error
  }
}

/** Opens a locked page: gives the pass for its password. Throws ChatFailure with the code `wrong_password`. */
export async function unlockChat(slug: string, password: string): Promise<string> {
  const { access } = await call<{ access: string }>(`/api/chat/${encodeURIComponent(slug)}/access`, {
    body: { password },
  })
  return access
}

/** Leaves a message outside of the hours. */
export async function leaveMessage(
  slug: string,
  message: { name: string; email: string; message: string },
  access: string | null,
): Promise<void> {
  const body = { client_id: createClientId(), ...message, ...(access && { access }) }
  await call(`/api/chat/${encodeURIComponent(slug)}/left-messages`, { body })
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
  const answer = (await response.json().catch(() => null)) as {
    success?: boolean
    data?: unknown
    code?: string
  } | null
  if (answer?.success) return answer.data as Data
  const text = typeof answer?.data === 'string' ? answer.data : (answer?.data as { message?: string } | null)?.message
  const code = answer?.code ?? null
  // a chatbot's own limit is told in its words, where others are waited for
  const reason = code === 'visitor_limit' ? 'refused' : failureOf(response.status)
  throw new ChatFailure(reason, text ?? `The server answered ${response.status}`, {
    retryAfterMs: retryAfterOf(response.headers),
    said: text ?? null,
    code,
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
