import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { namesOf } from '../../../engine/check/describe'
import { useEditor, useKindTexts } from '../../canvas/context'
import type { MarkLayer } from '../../canvas/marks'
import { showMarks } from '../../canvas/showMarks'
import { markProblems } from './problemLayer'
import { problemText } from './problemWords'
import type { Problems } from './useProblems'

/** Marks the checker's findings at their port, block or group. Notes have no mark. */
export function useProblemMarks({ diagnostics, others }: Problems): void {
  const { store, document, registry } = useEditor()
  const { t } = useTranslation(['problems', 'phrases'])
  const kinds = useKindTexts()
  const layer = useMemo<MarkLayer | null>(() => {
    if (diagnostics.every(({ severity }) => severity === 'info')) return null
    const names = namesOf(document.projection(), registry, others, kinds.title)
    return markProblems(diagnostics, (diagnostic) => problemText(diagnostic, names, t))
  }, [diagnostics, document, registry, others, kinds, t])
  useEffect(() => {
    showMarks(store, 'problems', layer)
    return () => showMarks(store, 'problems', null)
  }, [store, layer])
}
