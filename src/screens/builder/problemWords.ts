import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { namesOf, problemValues } from '../../../engine/check/describe'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import { useEditor, useKindTexts, useProjection } from '../../canvas/context'
import type { Problems } from './useProblems'

/** A diagnostic in words with present names; the same function while no name changes. */
export function useProblemText({ others }: Problems): (diagnostic: Diagnostic) => string {
  const { registry } = useEditor()
  const { t } = useTranslation('problems')
  const kinds = useKindTexts()
  const projection = useProjection((whole) => whole)
  return useMemo(() => {
    const names = namesOf(projection, registry, others, kinds.title)
    return (diagnostic) =>
      t(
        `codes.${diagnostic.code}`,
        problemValues(diagnostic, names, (code, words) => t(`reasons.${code}`, words)),
      )
  }, [projection, registry, others, kinds, t])
}
