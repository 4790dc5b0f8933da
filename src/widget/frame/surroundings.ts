import type { Opened } from '../transport'
import type { Publication } from '../types'

/** What a visitor's transport asks of where the chat stands: its own page, or one that holds it in a frame. */
export interface Surroundings {
  /** the page that the visitor has open */
  url(): string
  /** the page changed, or begins something by itself: the server is asked what, also within a visit */
  asks(): boolean
  /** who the visitor is by the word of the page's site; null: nobody known */
  user(): { id: string; hash: string } | null
  variables(): Readonly<Record<string, string | number | boolean>>
  /**
   * what says that the page may hold the chat; undefined where nothing asks for it
   * @param anew the last one was refused
   */
  token(anew?: boolean): Promise<string | undefined>
  /** told of a conversation that was asked for, before anything of it is drawn */
  opened(opened: Pick<Opened, 'resumed' | 'shows'>): void
  /** the chatbot is shown otherwise from now on, or has another flow */
  published(publication: Publication): void
}

/** The chat's own page. */
export const ownPage: Surroundings = {
  url: () => location.href,
  asks: () => false,
  user: () => null,
  variables: () => ({}),
  token: async () => undefined,
  opened: () => {},
  published: () => {},
}
