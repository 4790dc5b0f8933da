import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MergeCandidate, MOST_AT_ONCE, survivorOf } from '../../../../server/contracts/inboxMerges'
import { failureText, fieldsOf } from '../../../api/failure'
import { inboxMergeQuery } from '../../../api/inbox'
import { formatMoment } from '../../../i18n/format'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../../ui/Modal'
import { notify } from '../../../ui/notify'
import { useInboxPlace } from '../inboxPlace'
import styles from './merge.module.css'
import { useMerging } from './useMerging'

interface MergeDialogProps {
  conversation: string
  onClose: () => void
}

/** Which conversations of the visitor are to be one, and which of them that is. */
export function MergeDialog({ conversation, onClose }: MergeDialogProps) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const { pgid } = useInboxPlace()
  const { data, error, refetch } = useQuery(inboxMergeQuery(pgid, conversation))
  return (
    <Modal opened onClose={onClose} title={t('merge.title')} size="lg">
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : data ? (
        <MergeForm conversation={conversation} all={data} onClose={onClose} />
      ) : (
        <LoadingState rows={3} height={48} />
      )}
    </Modal>
  )
}

function MergeForm({ conversation, all, onClose }: MergeDialogProps & { all: readonly MergeCandidate[] }) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const place = useInboxPlace()
  const { merge } = useMerging(place.pgid, conversation)
  const [left, setLeft] = useState<readonly string[]>([])
  const chosen = all.filter(({ gid }) => gid === conversation || !left.includes(gid))
  const others = chosen.filter(({ gid }) => gid !== conversation)
  const [first, ...rest] = chosen
  const survivor = first && others.length > 0 ? survivorOf([first, ...rest]) : null
  if (all.length < 2)
    return (
      <>
        <ModalText>{t('merge.nothing')}</ModalText>
        <ModalActions>
          <Button onClick={onClose}>{common('actions.close')}</Button>
        </ModalActions>
      </>
    )
  const confirm = () =>
    merge.mutate(
      others.slice(0, MOST_AT_ONCE).map(({ gid }) => gid),
      {
        onSuccess: ({ conversation: into }) => {
          notify.success(t('merge.done'))
          onClose()
          place.open(into)
        },
      },
    )
  const toggle = (gid: string) => setLeft(left.includes(gid) ? left.filter((one) => one !== gid) : [...left, gid])
  return (
    <>
      <ModalText>{t('merge.text')}</ModalText>
      <ul className={styles.list}>
        {all.map((one) => {
          const isOwn = one.gid === conversation
          const isIn = isOwn || !left.includes(one.gid)
          return (
            <li key={one.gid} data-in={isIn || undefined}>
              <label>
                <input type="checkbox" checked={isIn} disabled={isOwn} onChange={() => toggle(one.gid)} />
                <span className={styles.about}>
                  <span className={styles.head}>
                    <strong>{formatMoment(one.at)}</strong>
                    <span>{t(`status.${one.status}`)}</span>
                    {one.assignee && <span>{one.assignee}</span>}
                    <span>{t('merge.messages', { count: one.messages })}</span>
                    {one.gid === survivor?.gid && <Badge tone="success">{t('merge.survivor')}</Badge>}
                  </span>
                  <span className={styles.words}>{one.last || t('noMessage')}</span>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      <p className={styles.outcome} role="status">
        {survivor
          ? t('merge.outcome', { count: chosen.length, at: formatMoment(survivor.at) })
          : t('merge.chooseAnother')}{' '}
        {chosen.some(({ gid, status }) => gid !== survivor?.gid && status !== 'closed') &&
          survivor &&
          t('merge.closes')}
      </p>
      {merge.error && (
        <p role="alert" className={styles.problem}>
          {Object.values(fieldsOf(merge.error))[0] ?? failureText(merge.error, t('failed'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button design="primary" disabled={!survivor} loading={merge.isPending} onClick={confirm}>
          {t('merge.confirm')}
        </Button>
      </ModalActions>
    </>
  )
}
