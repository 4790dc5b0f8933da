import type { TFunction } from 'i18next'
import type { InboxEntry } from '../../../server/contracts/inbox'

/** What a visitor is called: by what is known of them, else by the end of the conversation's id. */
export const visitorName = ({ visitor, gid }: Pick<InboxEntry, 'visitor' | 'gid'>, t: TFunction<'inbox'>): string =>
  visitor ?? t('visitor', { id: gid.slice(-4) })

/** A colour that stays the same for a conversation; white letters on it are readable at every hue. */
export const colorOf = (gid: string): string =>
  `oklch(0.52 0.13 ${[...gid].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7)})`
