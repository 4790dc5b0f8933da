import { useQuery } from '@tanstack/react-query'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { auditCheckQuery } from '../../api/auditLog'
import { failureText } from '../../api/failure'
import { formatNumber } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { CopyField } from '../../ui/CopyField'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions } from '../../ui/Modal'
import styles from './auditLog.module.css'

/** Computes the chain of hashes anew, and says whether an entry was changed or taken away. Mount it to open it. */
export function ChainCheck({ pgid, onClose }: { pgid: string; onClose: () => void }) {
  const { t } = useTranslation('auditLog')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(auditCheckQuery(pgid))
  return (
    <Modal opened onClose={onClose} title={t('check.title')}>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={40} />
      ) : (
        <div className={styles.check}>
          <p className={styles.verdict} data-tone={data.broken === null ? 'success' : 'danger'} role="status">
            {data.broken === null ? <ShieldCheck size={18} aria-hidden /> : <ShieldAlert size={18} aria-hidden />}
            <span>
              {data.broken === null
                ? t('check.whole', { count: data.entries, entries: formatNumber(data.entries) })
                : t('check.broken', { seq: formatNumber(data.broken) })}
            </span>
          </p>
          {data.hash !== null && data.broken === null && (
            <>
              <CopyField label={t('check.hash')} value={data.hash} />
              <p className={styles.hint}>{t('check.hashHint')}</p>
            </>
          )}
        </div>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.close')}</Button>
      </ModalActions>
    </Modal>
  )
}
