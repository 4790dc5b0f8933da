import type { Diagnostic } from '../../../engine/check/diagnostic'
import type { Mark, MarkLayer } from '../../canvas/marks'

/** One mark per place, with the tone of its most severe problem and all texts. Pass problems sorted by severity. */
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
