import { useTranslation } from 'react-i18next'
import type { Instructions } from '../../../server/contracts/instructions'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import styles from './instructions.module.css'
import { TextDiff } from './TextDiff'
import type { Draft } from './useDraft'

/** Somebody else has saved meanwhile: shows the differences, and lets the user choose. Neither text is lost. */
export function ConflictDialog({ saved, draft }: { saved: Instructions; draft: Draft }) {
  const { t } = useTranslation('instructions')
  const { t: common } = useTranslation()
  const by = saved.versions[0]?.by ?? t('somebody')
  return (
    <Modal opened onClose={draft.closeConflict} title={t('conflict.title')} size={760}>
      <div className={styles.form}>
        <ModalText>{t('conflict.message', { by })}</ModalText>
        <div className={styles.conflict}>
          <TextDiff before={saved.text} after={draft.text} label={t('conflict.diff')} />
        </div>
        {draft.error !== null && (
          <p role="alert" className={styles.notice} data-tone="danger">
            {failureText(draft.error, common('errors.message'))}
          </p>
        )}
      </div>
      <ModalActions>
        <Button onClick={draft.closeConflict}>{t('conflict.later')}</Button>
        <Button onClick={draft.takeTheirs}>{t('conflict.theirs')}</Button>
        <Button design="primary" loading={draft.saving} onClick={draft.keepMine}>
          {t('conflict.mine')}
        </Button>
      </ModalActions>
    </Modal>
  )
}
