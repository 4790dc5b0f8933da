/** What a page and the chat in its frame tell each other. Types alone: neither side carries the other's code. */

/** A visitor known to the site, whose server has signed the id with the chatbot's secret (HMAC-SHA256, hexadecimal). */
export interface SignedUser {
  id: string
  hash: string
}

export type Variables = Readonly<Record<string, string | number | boolean>>

/** What the browser keeps for the frame, by key, where the frame itself is kept from storage. */
export type KeptValues = Readonly<Record<string, string>>

export interface FrameStart {
  url: string
  token: string
  /** nothing may be stored before it is true */
  consent: boolean
  /** the site has asked the visitor, who agreed */
  agreed: boolean
  /** false: the visit is not to be counted */
  analytics: boolean
  kept: KeptValues
  /** what was kept before is to be forgotten */
  fresh: boolean
  open: boolean
  /** the fragment of a mail's link that led to the page, which names a conversation; empty: none did */
  link: string
  /** it began without being asked: a trigger for this page */
  byPage: boolean
  /** of the button that closes the chat; null where nothing can */
  close: string | null
  user: SignedUser | null
  variables: Variables
}

export type ToFrame =
  | ({ parley: 'start' } & FrameStart)
  | { parley: 'shown'; open: boolean }
  | { parley: 'page'; url: string }
  | { parley: 'send'; text: string }
  | { parley: 'user'; user: SignedUser | null }
  | { parley: 'variables'; variables: Variables }
  | { parley: 'consent'; given: boolean; analytics: boolean }
  | { parley: 'token'; token: string }

export type FromFrame =
  /** its first message can be read; its scripts are to come */
  | { parley: 'drawn' }
  /** `blocked`: it has no storage of its own */
  | { parley: 'hello'; blocked: boolean }
  /** a conversation is there; `shows` where one began for this page */
  | { parley: 'ready'; shows: 'open' | 'teaser' | null }
  | { parley: 'message'; from: 'bot' | 'visitor'; text: string }
  /** messages that nobody has seen yet, and the first of them */
  | { parley: 'unread'; count: number; text: string }
  | { parley: 'user'; problem: string | null }
  | { parley: 'keep'; key: string; value: string | null }
  | { parley: 'token' }
  | { parley: 'close' }
