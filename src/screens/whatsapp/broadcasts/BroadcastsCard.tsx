import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../api/account'
import { failureText } from '../../../api/failure'
import type { ChatbotPlace } from '../../../api/whatsapp'
import { broadcastsQuery } from '../../../api/whatsappBroadcasts'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { Modal } from '../../../ui/Modal'
import { BroadcastForm } from './BroadcastForm'
import { BroadcastRow } from './BroadcastRow'
import styles from './broadcasts.module.css'

/** Templates that are sent to many contacts: new ones, and what has come of those before. */
export function BroadcastsCard({ place }: { place: ChatbotPlace }) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const maySend = useCan('whatsapp.broadcast')
  const { data, error, refetch } = useQuery(broadcastsQuery(place))
  const [writing, setWriting] = useState(false)
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={1} height={120} />
  const close = () => setWriting(false)
  return (
    <Card
      title={t('broadcasts.title')}
      description={t('broadcasts.description')}
      footer={
        maySend && (
          <Button design="primary" onClick={() => setWriting(true)}>
            {t('broadcasts.add')}
          </Button>
        )
      }
    >
      {data.length === 0 ? (
        <p className={styles.soft}>{t('broadcasts.empty')}</p>
      ) : (
        <ul className={styles.list}>
          {data.map((broadcast) => (
            <BroadcastRow key={broadcast.gid} place={place} broadcast={broadcast} />
          ))}
        </ul>
      )}
      <Modal opened={writing} onClose={close} title={t('broadcast.title')} size="lg">
        <BroadcastForm place={place} last={data[0]} onClose={close} />
      </Modal>
    </Card>
  )
}
