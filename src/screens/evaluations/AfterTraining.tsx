import { useTranslation } from 'react-i18next'
import { useCan } from '../../api/account'
import { useEvaluationChanges } from '../../api/evaluations'
import { failureText } from '../../api/failure'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'

interface AfterTrainingProps {
  pgid: string
  cgid: string
  wanted: boolean
}

/** Whether all questions are run when a training has ended, so that each training has a score. */
export function AfterTraining({ pgid, cgid, wanted }: AfterTrainingProps) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const mayChange = useCan('instructions.update')
  const { setRuns } = useEvaluationChanges(pgid, cgid)
  return (
    <Card>
      <Switch
        label={t('afterTraining')}
        description={t('afterTrainingHint')}
        // at once, as if it were stored; a refusal turns it back
        checked={setRuns.isPending ? setRuns.variables : wanted}
        disabled={!mayChange}
        onChange={(event) =>
          setRuns.mutate(event.currentTarget.checked, {
            onError: (error) => notify.error(failureText(error, common('errors.message'))),
          })
        }
      />
    </Card>
  )
}
