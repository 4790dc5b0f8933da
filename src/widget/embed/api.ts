import type { SignedUser, Variables } from './protocol'

/** What is told to `on`, by event. */
export interface ParleyEvents {
  /** the chatbot may be shown here, and its launcher is there */
  ready: undefined
  open: undefined
  close: undefined
  message: { from: 'bot' | 'visitor'; text: string }
  /** messages that nobody has seen yet */
  unread: { count: number }
  destroy: undefined
}

/** A chatbot on a page: `window.Parley`, and `chat` of a `<parley-chat>`. */
export interface ParleyApi {
  /** its external id */
  readonly chatbot: string
  open(): void
  close(): void
  toggle(): void
  /** says something as the visitor */
  send(text: string): void
  /**
   * identifies the visitor by an id signed by the site's server; null: unknown. Rejects if the signature is invalid.
   */
  setUser(user: SignedUser | null): Promise<void>
  /** values for variables of the flow, by their names */
  setVariables(variables: Variables): void
  /**
   * whether something may be stored in the browser, where the chatbot waits for that; `analytics: false`: the visit is
   * not counted
   */
  consent(given: boolean, more?: { analytics?: boolean }): void
  /** @returns what ends it */
  on<Name extends keyof ParleyEvents>(event: Name, listener: (detail: ParleyEvents[Name]) => void): () => void
  /** leaves the conversation, and forgets the visitor */
  reset(): void
  /** takes the chat off the page */
  destroy(): void
}

/** A call that was made before the chat was there: a name with its arguments, or a function that is given the chat. */
export type QueuedCall = ((chat: ParleyApi) => void) | [name: string, ...args: unknown[]]

/** What `window.Parley` is: calls that wait, then the chat. Either takes calls by `push`. */
export type ParleyQueue = (QueuedCall[] & { chatbot?: string }) | ParleyOfPage
export type ParleyOfPage = ParleyApi & { push(...calls: QueuedCall[]): void }

declare global {
  interface Window {
    /** before it is loaded, a list of calls: `(window.Parley ||= []).push(['open'])` */
    Parley?: ParleyQueue
    dataLayer?: unknown[]
  }
}
