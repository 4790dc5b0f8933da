import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Doubles } from '../../../../server/contracts/contactMerges'
import type { ContactEntry } from '../../../../server/contracts/contacts'
import { doublesQuery, mergesQuery, useMerges } from '../../../api/contactMerges'
import { failureText } from '../../../api/failure'
import { formatMoment } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { Modal, ModalText } from '../../../ui/Modal'
import { notify } from '../../../ui/notify'
import { MergeForm } from './MergeForm'
import styles from './merges.module.css'

/** Contacts that may be the same person, and merges that can be undone. */
export function DoublesDialog({ pgid, onClose }: { pgid: string; onClose: () => void }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { data: doubles, error, refetch } = useQuery(doublesQuery(pgid))
  const [pair, setPair] = useState<{ into: string; from: string } | null>(null)
  return (
    <Modal opened onClose={onClose} size="lg" title={t('merge.title')}>
      {pair ? (
        <MergeForm pgid={pgid} pair={pair} onClose={() => setPair(null)} />
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !doubles ? (
        <LoadingState rows={3} height={52} />
      ) : (
        <>
          <ModalText>{t(doubles.length === 0 ? 'merge.none' : 'merge.description')}</ModalText>
          <ul className={styles.list}>
            {doubles.map((each) => (
              <DoubleGroup key={`${each.by} ${each.value}`} doubles={each} onPair={setPair} />
            ))}
          </ul>
          <Undoable pgid={pgid} />
        </>
      )}
    </Modal>
  )
}

interface DoubleGroupProps {
  doubles: Doubles
  onPair: (pair: { into: string; from: string }) => void
}

/** The oldest is the one that stays, unless the person says otherwise. */
function DoubleGroup({ doubles: { by, value, contacts }, onPair }: DoubleGroupProps) {
  const { t } = useTranslation('contacts')
  const [first, ...others] = contacts
  if (!first) return null
  return (
    <li className={styles.group}>
      <strong>{t(`merge.same.${by}`, { value })}</strong>
      {others.map((other) => (
        <span key={other.gid} className={styles.pair}>
          <span className={styles.names}>{t('merge.pair', { one: titleOf(first), other: titleOf(other) })}</span>
          <Button
            size="s"
            aria-label={t('merge.openOf', { one: titleOf(first), other: titleOf(other) })}
            onClick={() => onPair({ into: first.gid, from: other.gid })}
          >
            {t('merge.open')}
          </Button>
        </span>
      ))}
    </li>
  )
}

const titleOf = ({ fields, gid }: ContactEntry): string =>
  fields.name || fields.email || fields.phone || fields.user_id || gid

function Undoable({ pgid }: { pgid: string }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { data: merges = [] } = useQuery(mergesQuery(pgid))
  const { undo } = useMerges(pgid)
  if (merges.length === 0) return null
  return (
    <section className={styles.undoable}>
      <h3>{t('merge.earlier')}</h3>
      <ul className={styles.list}>
        {merges.map(({ gid, contact, merged, merged_at, by }) => (
          <li key={gid} className={styles.pair}>
            <span className={styles.names}>
              {t('merge.done', { merged, name: contact.name })}
              <span className={styles.muted}>{[formatMoment(merged_at), by].filter(Boolean).join(' · ')}</span>
            </span>
            <Button
              size="s"
              icon={<Undo2 />}
              loading={undo.isPending && undo.variables === gid}
              aria-label={t('merge.undoOf', { merged, name: contact.name })}
              onClick={() =>
                undo.mutate(gid, {
                  onSuccess: () => notify.success(t('merge.undone')),
                  onError: (error) => notify.error(failureText(error, common('errors.message'))),
                })
              }
            >
              {t('merge.undo')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
