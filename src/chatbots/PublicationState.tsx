import { useTranslation } from 'react-i18next'
import type { Chatbot } from '../../server/contracts/chatbots'
import { formatMoment } from '../i18n/format'
import { Badge } from '../ui/Badge'

type Published = Pick<Chatbot, 'published' | 'draft_changed'>

/** What visitors get: nothing, the draft's state, or an earlier one. */
export const publicationOf = ({ published, draft_changed }: Published): 'draft' | 'published' | 'changed' =>
  published === null ? 'draft' : draft_changed ? 'changed' : 'published'

const tones = { draft: 'neutral', published: 'success', changed: 'warning' } as const

/** The same as a label, with the details as its title. */
export function PublicationState({ chatbot }: { chatbot: Published }) {
  const { t } = useTranslation('chatbots')
  const state = publicationOf(chatbot)
  const { published } = chatbot
  const title = published ? t('state.publishedAt', { ...published, at: formatMoment(published.at) }) : undefined
  return (
    <span title={title} data-publication={state}>
      <Badge dot tone={tones[state]}>
        {t(`state.${state}`)}
      </Badge>
    </span>
  )
}
