import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AiSettingsView } from '../../../server/contracts/ai'
import { useCan } from '../../api/account'
import { useSaveAiSettings } from '../../api/ai'
import { ApiFailure, failureText } from '../../api/failure'
import { LeaveGuard } from '../../ui/LeaveGuard'
import { notify } from '../../ui/notify'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SaveBar } from '../../ui/SaveBar'
import { AnswersCard } from './AnswersCard'
import styles from './aiSettings.module.css'
import { CreditsCard } from './CreditsCard'
import { changesOf, type Draft, draftOf } from './draft'
import { ModelCard } from './ModelCard'
import type { PartProps } from './partProps'

export function AiSettingsForm({ pgid, cgid, view }: { pgid: string; cgid: string; view: AiSettingsView }) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const readOnly = !useCan('ai.update')
  // only the changed fields, so that somebody else's changes show in the others
  const [changed, setChanged] = useState<Partial<Draft>>({})
  const save = useSaveAiSettings(pgid, cgid)
  const draft = { ...draftOf(view.settings), ...changed }
  const changes = changesOf(draft, view.settings)
  const isUnsaved = changes === null || Object.keys(changes).length > 0
  const errors = save.error instanceof ApiFailure ? save.error.fields : {}
  const problem = save.error
    ? Object.keys(errors).length > 0
      ? t('wrong')
      : failureText(save.error, common('errors.message'))
    : changes === null
      ? t('wrong')
      : null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!changes || !isUnsaved) return
    save.mutate(changes, {
      onSuccess: () => {
        setChanged({})
        notify.success(t('saved'))
      },
    })
  }
  const discard = () => {
    save.reset()
    setChanged({})
  }
  const part: PartProps = {
    view,
    draft,
    errors,
    readOnly,
    onChange: (next) => {
      save.reset()
      setChanged({ ...changed, ...next })
    },
  }
  return (
    <>
      <form onSubmit={submit} className={styles.form} noValidate>
        {readOnly && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
        <ModelCard {...part} />
        <AnswersCard {...part} />
        <CreditsCard {...part} />
        {isUnsaved && (
          <SaveBar
            message={problem ?? t('unsaved')}
            problem={problem !== null}
            loading={save.isPending}
            disabled={changes === null}
            onDiscard={discard}
          />
        )}
      </form>
      {/* outside the form, which would otherwise receive a dialog's submit events */}
      <LeaveGuard
        isUnsaved={() => isUnsaved}
        title={t('leave.title')}
        message={t('leave.message')}
        confirm={t('leave.confirm')}
      />
    </>
  )
}
