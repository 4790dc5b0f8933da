import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhatsappTemplate } from '../../../server/contracts/whatsappTemplates'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/whatsapp'
import { useTemplateChanges, whatsappTemplatesQuery } from '../../api/whatsappTemplates'
import { TemplatePreview } from '../../text/TemplatePreview'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { TemplateDialog } from './TemplateDialog'
import styles from './templates.module.css'

/** Templates of the number's account: what WhatsApp says of each, how it looks, and new ones. */
export function TemplatesCard({ place }: { place: ChatbotPlace }) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const maySubmit = useCan('whatsapp.profile')
  const { data, error, refetch } = useQuery(whatsappTemplatesQuery(place))
  const { fetch } = useTemplateChanges(place)
  const [writing, setWriting] = useState(false)
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={1} height={120} />
  return (
    <Card
      title={t('templates.title')}
      description={t('templates.description')}
      footer={
        <>
          <Button
            loading={fetch.isPending}
            onClick={() =>
              fetch.mutate(undefined, {
                onSuccess: ({ templates }) => notify.success(t('templates.fetched', { count: templates.length })),
                onError: (failure) => notify.error(failureText(failure, common('errors.message'))),
              })
            }
          >
            {t('templates.fetch')}
          </Button>
          {maySubmit && (
            <Button design="primary" onClick={() => setWriting(true)}>
              {t('templates.add')}
            </Button>
          )}
        </>
      }
    >
      {data.length === 0 ? (
        <p className={styles.soft}>{t('templates.empty')}</p>
      ) : (
        <ul className={styles.list}>
          {data.map((template) => (
            <TemplateRow key={`${template.language} ${template.name}`} template={template} />
          ))}
        </ul>
      )}
      <TemplateDialog place={place} opened={writing} onClose={() => setWriting(false)} />
    </Card>
  )
}

const TONES: Readonly<Record<string, BadgeTone>> = {
  ...{ APPROVED: 'success', GREEN: 'success', PENDING: 'neutral', IN_APPEAL: 'neutral' },
  ...{ PAUSED: 'warning', YELLOW: 'warning', REJECTED: 'danger', DISABLED: 'danger', RED: 'danger' },
}

function TemplateRow({ template }: { template: WhatsappTemplate }) {
  const { t } = useTranslation('whatsapp')
  const { name, language, category, status, quality, reason, sendable } = template
  return (
    <li className={styles.row}>
      <details>
        <summary className={styles.summary}>
          <strong className={styles.name}>{name}</strong>
          <span className={styles.soft}>{language}</span>
          <span className={styles.soft}>{wordOf(category)}</span>
          <Badge tone={TONES[status] ?? 'neutral'} dot>
            {wordOf(status)}
          </Badge>
          {quality !== '' && (
            <Badge tone={TONES[quality] ?? 'neutral'}>{t('templates.quality', { quality: wordOf(quality) })}</Badge>
          )}
        </summary>
        {reason && <p className={styles.reason}>{reason}</p>}
        {status === 'APPROVED' && !sendable && <p className={styles.reason}>{t('templates.unknown')}</p>}
        <TemplatePreview template={template} values={[]} />
      </details>
    </li>
  )
}

/** As WhatsApp says it, for people: `IN_APPEAL` is In appeal. */
const wordOf = (word: string): string => {
  const words = word.toLowerCase().replaceAll('_', ' ')
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
