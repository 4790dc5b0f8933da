import type { TFunction } from 'i18next'
import type { NotificationEntry } from '../../server/contracts/personalNotifications'

/** A notification in one sentence. @param t of the namespace `notifications` */
export const sentenceOf = (t: TFunction<'notifications'>, { kind, who, by }: NotificationEntry): string =>
  t(`sentences.${kind}`, {
    who: who ?? t(kind === 'new_contact' ? 'sentences.somebody' : 'sentences.visitor'),
    by: by ?? t('sentences.colleague'),
  })
