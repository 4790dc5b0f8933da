import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Names, namesOf, problemValues } from '../../../engine/check/describe'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import { useEditor, useKindTexts, useProjection } from '../../canvas/context'
import { messageText } from '../../i18n/phrases'
import type { Problems } from './useProblems'

/** A diagnostic in words with present names; the same function while no name changes. */
export function useProblemText({ others }: Problems): (diagnostic: Diagnostic) => string {
  const { registry } = useEditor()
  const { t } = useTranslation(['problems', 'phrases'])
  const kinds = useKindTexts()
  const projection = useProjection((whole) => whole)
  return useMemo(() => {
    const names = namesOf(projection, registry, others, kinds.title)
    return (diagnostic) => problemText(diagnostic, names, t)
  }, [projection, registry, others, kinds, t])
}

/** @param t of the texts `problems` */
export function problemText(diagnostic: Diagnostic, names: Names, t: TFunction<['problems', 'phrases']>): string {
  const { code, values } = diagnostic
  return t(`codes.${code}`, {
    ...problemValues(diagnostic, names, (reason, words) => t(`reasons.${reason}`, words)),
    ...(typeof values.message === 'string' && { message: messageText(values.message) }),
  })
}
