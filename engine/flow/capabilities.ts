import type { BotMessage } from './conversation'

/**
 * Features of only some channels, by name: a kind of message, whether the visitor has a page open, whether several
 * things can be asked at once.
 */
export type ChannelFeature = Extract<BotMessage['kind'], 'carousel' | 'embed' | 'redirect'> | 'page' | 'form'

/**
 * What a channel can show and receive. The checker, the editors and the sender query it instead of naming channels.
 * Null: no limit.
 */
export interface ChannelCapabilities {
  /** the channel's name for people */
  readonly label: string
  readonly features: readonly ChannelFeature[]
  /** reply buttons: how many, and the length of their labels; more options become a list */
  readonly buttons: { readonly most: number; readonly label: number } | null
  /** a selection list; more rows become another list */
  readonly list: { readonly most: number; readonly label: number; readonly description: number } | null
  /** characters of a text and of media captions */
  readonly text: number | null
  readonly caption: number | null
  /** whether it shows a typing indicator, and whether messages can be edited */
  readonly typing: boolean
  readonly edits: boolean
  /** hours after the visitor's last message in which anything may be sent */
  readonly window: number | null
  /** whether people are written to there after they have left, so that no other address of theirs is needed */
  readonly reaches: boolean
}

/** What blocks that are carried out ask of the channel. */
export type ChannelTraits = Pick<ChannelCapabilities, 'features' | 'reaches'>

/** The web has every capability. */
export const webCapabilities: ChannelCapabilities = {
  label: 'the web',
  features: ['carousel', 'embed', 'redirect', 'page', 'form'],
  buttons: null,
  list: null,
  text: null,
  caption: null,
  typing: true,
  edits: true,
  window: null,
  reaches: false,
}
