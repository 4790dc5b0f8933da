import { Layers, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructions } from '../../../server/contracts/instructions'
import { failureText } from '../../api/failure'
import { formatMoment, formatRecent } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Segmented } from '../../ui/Segmented'
import styles from './history.module.css'
import { TextDiff } from './TextDiff'
import type { Draft } from './useDraft'

interface HistoryDialogProps {
  saved: Instructions
  draft: Draft
  readOnly: boolean
  onClose: () => void
}

/** The versions of the instructions with their changes, and a button to restore each. */
export function HistoryDialog({ saved: { text, versions }, draft, readOnly, onClose }: HistoryDialogProps) {
  const { t } = useTranslation('instructions')
  const { t: common } = useTranslation()
  const [chosen, setChosen] = useState(versions[0]?.gid)
  const [against, setAgainst] = useState<'before' | 'now'>('before')
  const at = versions.findIndex(({ gid }) => gid === chosen)
  const version = versions[at]
  const restore = () => {
    if (!version) return
    draft.restore(version.text, () => {
      notify.success(t('history.restored'))
      onClose()
    })
  }
  return (
    <Modal opened onClose={onClose} title={t('history.title')} size={920}>
      {!version ? (
        <EmptyState icon={<Layers />} title={t('history.none')} message={t('history.noneMessage')} />
      ) : (
        <div className={styles.history}>
          <ol className={styles.versions} aria-label={t('history.versions')}>
            {versions.map(({ gid, by, at: when }, place) => (
              <li key={gid}>
                <button type="button" aria-pressed={gid === chosen} onClick={() => setChosen(gid)}>
                  <span className={styles.when} title={formatMoment(when)}>
                    {formatRecent(when)}
                    {place === 0 && <Badge tone="success">{t('history.current')}</Badge>}
                  </span>
                  <span className={styles.by}>{by ?? t('somebody')}</span>
                </button>
              </li>
            ))}
          </ol>
          <div className={styles.detail}>
            <Segmented
              className={styles.against}
              label={t('history.against')}
              value={against}
              options={(['before', 'now'] as const).map((each) => ({ value: each, label: t(`history.${each}`) }))}
              onChange={setAgainst}
            />
            {against === 'before' ? (
              <TextDiff before={versions[at + 1]?.text ?? ''} after={version.text} label={t('history.diff')} />
            ) : (
              <TextDiff before={text} after={version.text} label={t('history.diff')} />
            )}
          </div>
        </div>
      )}
      {draft.error !== null && (
        <p role="alert" className={styles.alert}>
          {failureText(draft.error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        {draft.changed && version && !readOnly && <span className={styles.hint}>{t('history.unsaved')}</span>}
        <Button onClick={onClose}>{common('actions.close')}</Button>
        {version && !readOnly && (
          <Button
            design="primary"
            icon={<RotateCcw />}
            disabled={version.text === text || draft.changed}
            loading={draft.saving}
            onClick={restore}
          >
            {t('history.restore')}
          </Button>
        )}
      </ModalActions>
    </Modal>
  )
}
