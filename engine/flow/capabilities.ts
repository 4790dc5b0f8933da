import type { BotMessage } from './conversation'

/** What only some channels can do, asked of them by name: a kind of message, or that the visitor has a page open. */
export type ChannelFeature = Extract<BotMessage['kind'], 'carousel' | 'embed' | 'redirect'> | 'page'

/** What a channel can show and take. The checker, the editors and what sends ask it, and name no channel. Null: no limit. */
export interface ChannelCapabilities {
  /** the channel as people know it */
  readonly label: string
  readonly features: readonly ChannelFeature[]
  /** answers at a tap: how many, and how long their labels may be; more become a list */
  readonly buttons: { readonly most: number; readonly label: number } | null
  /** a list to choose from; more rows become another list */
  readonly list: { readonly most: number; readonly label: number; readonly description: number } | null
  /** characters of a text, and of the words at a picture, a film or a sound */
  readonly text: number | null
  readonly caption: number | null
  /** it shows that somebody is typing; what was said may be changed */
  readonly typing: boolean
  readonly edits: boolean
  /** hours after the visitor's last message in which anything may be said */
  readonly window: number | null
}

/** The web shows all that there is. */
export const webCapabilities: ChannelCapabilities = {
  label: 'the web',
  features: ['carousel', 'embed', 'redirect', 'page'],
  buttons: null,
  list: null,
  text: null,
  caption: null,
  typing: true,
  edits: true,
  window: null,
}
