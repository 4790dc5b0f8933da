import { useTranslation } from 'react-i18next'
import { GoldenDialog } from '../../answers/GoldenDialog'
import { type Exchange, linesOf } from '../../answers/useAsking'
import { useGoldenChanges } from '../../api/golden'
import { notify } from '../../ui/notify'

interface KeepDialogProps {
  pgid: string
  cgid: string
  exchange: Exchange
  /** what was asked and answered before it */
  before: readonly Exchange[]
  onClose: () => void
}

/**
 * Keeps a question as a golden one: with what was said before and what actions answered, the source that was cited, or
 * as one that has no answer.
 */
export function KeepDialog({ pgid, cgid, exchange: { question, answer }, before, onClose }: KeepDialogProps) {
  const { t } = useTranslation('playground')
  const { add } = useGoldenChanges(pgid, cgid)
  const [cited] = answer?.citations ?? []
  return (
    <GoldenDialog
      pgid={pgid}
      cgid={cgid}
      title={t('keep.title')}
      submit={t('keep.submit')}
      value={{
        question,
        words: [],
        source: cited?.source ?? null,
        source_title: cited?.title ?? null,
        unknown: answer?.found === false,
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
