import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Feed } from '../../../server/contracts/feeds'
import { failureText } from '../../api/failure'
import { useFeedChanges } from '../../api/feeds'
import type { ChatbotPlace } from '../../api/sources'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { feedName } from './feedName'
import styles from './feeds.module.css'

/** Asks before a list is followed no more, and what becomes of its sources. */
export function StopFollowing({ place, feed, onClose }: { place: ChatbotPlace; feed: Feed; onClose: () => void }) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const [withSources, setWithSources] = useState(false)
  const { remove } = useFeedChanges(place)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    remove.mutate(
      { gid: feed.gid, sources: withSources ? 'delete' : 'keep' },
      {
        onSuccess: () => {
          notify.success(t('feeds.ended', { name: feedName(feed) }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('feeds.endTitle', { name: feedName(feed) })}>
      <form onSubmit={submit}>
        <ModalText>{t('feeds.endMessage')}</ModalText>
        {feed.sources > 0 && (
          <label className={styles.choice}>
            <input
              type="checkbox"
              checked={withSources}
              onChange={(event) => setWithSources(event.currentTarget.checked)}
            />
            {t('feeds.endSources', { count: feed.sources })}
          </label>
        )}
        {remove.error && (
          <p role="alert" className={styles.reason} data-tone="danger">
            {failureText(remove.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="danger" loading={remove.isPending}>
            {t('feeds.endConfirm')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
