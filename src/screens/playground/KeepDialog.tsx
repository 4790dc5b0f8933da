import { useTranslation } from 'react-i18next'
import { EvaluationDialog } from '../../answers/EvaluationDialog'
import { type Exchange, linesOf } from '../../answers/useAsking'
import { useEvaluationChanges } from '../../api/evaluations'
import { notify } from '../../ui/notify'

interface KeepDialogProps {
  pgid: string
  cgid: string
  exchange: Exchange
  /** earlier questions and answers */
  before: readonly Exchange[]
  onClose: () => void
}

/**
 * Keeps a question as an evaluation: with the conversation before it, results of actions, and the cited source, or as
 * one without an answer.
 */
export function KeepDialog({ pgid, cgid, exchange: { question, answer }, before, onClose }: KeepDialogProps) {
  const { t } = useTranslation('playground')
  const { add } = useEvaluationChanges(pgid, cgid)
  const [cited] = answer?.citations ?? []
  return (
    <EvaluationDialog
      pgid={pgid}
      cgid={cgid}
      title={t('keep.title')}
      submit={t('keep.submit')}
      value={{
        question,
        words: [],
        source: cited?.source ?? null,
        source_title: cited?.title ?? null,
        unknown: answer?.answer_not_found === true,
        kept: {
          before: linesOf(before),
          actions: answer?.debug.steps.flatMap(({ call }) => call ?? []) ?? [],
        },
      }}
      loading={add.isPending}
      error={add.error}
      onSubmit={(body) =>
        add.mutate(body, {
          onSuccess: () => {
            notify.success(t('keep.done'))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
