import { useTranslation } from 'react-i18next'
import type { UndoStep } from '../../../engine/document/history'
import { useKindTexts } from '../../canvas/context'

/** Names a step of the history, such as “Move “Welcome””. */
export function useStepName(): (step: UndoStep) => string {
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  return (step) =>
    t(`history.steps.${step.code}`, {
      count: step.count,
      kind: step.kind ? kinds.title(step.kind) : t('history.block'),
      name: step.name?.trim() || t('canvas.untitled'),
    })
}
