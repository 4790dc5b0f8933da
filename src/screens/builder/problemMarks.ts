import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { namesOf, wordsOf } from '../../../engine/check/describe'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import { useEditor, useKindTexts } from '../../canvas/context'
import { type Mark, type MarkLayer, showMarks } from '../../canvas/marks'
import type { Problems } from './useProblems'

/** Draws what the checker says where it says it: on the port, the block or the group. What is only told has no mark. */
export function useProblemMarks({ diagnostics, others }: Problems): void {
  const { store, document, registry } = useEditor()
  const { t } = useTranslation('problems')
  const kinds = useKindTexts()
  const layer = useMemo<MarkLayer | null>(() => {
    if (diagnostics.every(({ severity }) => severity === 'info')) return null
    const names = namesOf(document.projection(), registry, others, kinds.title)
    return markProblems(diagnostics, (diagnostic) => t(`codes.${diagnostic.code}`, wordsOf(diagnostic, names)))
  }, [diagnostics, document, registry, others, kinds, t])
  useEffect(() => {
    showMarks(store, 'problems', layer)
    return () => showMarks(store, 'problems', null)
  }, [store, layer])
}

/** One mark a place, in the tone of the gravest problem there, that says all of them. Give the gravest first. */
export function markProblems(
  diagnostics: readonly Diagnostic[],
  textOf: (diagnostic: Diagnostic) => string,
): Required<MarkLayer> {
  const layer = {
    groups: new Map<string, Mark>(),
    blocks: new Map<string, Mark>(),
    edges: new Map<string, Mark>(),
  }
  for (const diagnostic of diagnostics) {
    const { severity, place } = diagnostic
    const at = severity === 'info' ? null : placeOf(place)
    if (!at || severity === 'info') continue
    const present = layer[at.of].get(at.id)
    const text = textOf(diagnostic)
    layer[at.of].set(
      at.id,
      present ? { ...present, label: `${present.label}\n${text}` } : { tone: severity, label: text },
    )
  }
  return layer
}

function placeOf({ groupId, blockId, portId, edge }: Diagnostic['place']): { of: keyof MarkLayer; id: string } | null {
  if (edge) return { of: 'edges', id: `${edge.from.blockId}/${edge.from.portId}` }
  if (blockId !== undefined && portId !== undefined) return { of: 'edges', id: `${blockId}/${portId}` }
  if (blockId !== undefined) return { of: 'blocks', id: blockId }
  return groupId === undefined ? null : { of: 'groups', id: groupId }
}
