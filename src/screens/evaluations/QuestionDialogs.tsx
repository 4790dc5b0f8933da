import { useTranslation } from 'react-i18next'
import type { EvaluationBody, EvaluationQuestion } from '../../../server/contracts/evaluations'
import { EvaluationDialog } from '../../answers/EvaluationDialog'
import { useEvaluationChanges } from '../../api/evaluations'
import { failureText } from '../../api/failure'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'

interface DialogProps {
  pgid: string
  cgid: string
  onClose: () => void
}

/** @param evaluation null: a new one */
export function EditQuestion({
  pgid,
  cgid,
  evaluation,
  onClose,
}: DialogProps & { evaluation: EvaluationQuestion | null }) {
  const { t } = useTranslation('evaluations')
  const { add, change } = useEvaluationChanges(pgid, cgid)
  const mutation = evaluation ? change : add
  const onSuccess = () => {
    notify.success(t(evaluation ? 'edit.done' : 'added'))
    onClose()
  }
  const submit = (body: EvaluationBody) =>
    evaluation ? change.mutate({ ...body, gid: evaluation.gid }, { onSuccess }) : add.mutate(body, { onSuccess })
  return (
    <EvaluationDialog
      pgid={pgid}
      cgid={cgid}
      title={evaluation ? t('edit.title') : t('add')}
      submit={evaluation ? t('edit.submit') : t('add')}
      value={
        evaluation
          ? {
              question: evaluation.question,
              words: evaluation.words,
              source: evaluation.source,
              source_title: evaluation.source_title,
              unknown: evaluation.unknown,
              ...(evaluation.kept && { kept: evaluation.kept }),
            }
          : { question: '', words: [], source: null, unknown: false }
      }
      loading={mutation.isPending}
      error={mutation.error}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

export function DeleteQuestion({ pgid, cgid, evaluation, onClose }: DialogProps & { evaluation: EvaluationQuestion }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const { remove } = useEvaluationChanges(pgid, cgid)
  return (
    <ConfirmDialog
      opened
      title={t('delete.title')}
      message={t('delete.message', { question: evaluation.question })}
      confirm={t('delete.submit')}
      danger
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() => remove.mutate(evaluation.gid, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
