import { namesOf } from '../check/describe'
import { viewOfFlow } from '../check/view'
import type { Registry } from '../flow/registry'
import type { ChatbotFlows } from '../flow/schema'
import type { Difference } from './recordingCompare'
import type { Unreached } from './recordingCoverage'
import { differenceText } from './recordingWords'

/** The display name of a place: its flow (if there are several), group, block and port. */
export type PlaceNames = (place: Unreached) => string

export function placeNames({ main, others }: ChatbotFlows, registry: Registry): PlaceNames {
  const flows = [{ id: null, title: 'Main flow', flow: main }, ...others]
  const known = new Map(
    flows.map(({ id, title, flow }) => [id as string | null, { title, ...namesOf(viewOfFlow(flow), registry) }]),
  )
  return ({ flowId, groupId, blockId, portId }) => {
    const names = known.get(flowId)
    const words = [
      ...(others.length > 0 ? [names?.title ?? flowId] : []),
      names?.group(groupId) || groupId,
      ...(blockId === undefined ? [] : [names?.block(blockId) ?? blockId]),
      ...(blockId === undefined || portId === undefined ? [] : [names?.port(blockId, portId) ?? portId]),
    ]
    return words.join(' > ')
  }
}

/** Both sides of a difference as text. */
export function differenceSides({ type, expected, actual }: Difference, names: PlaceNames): [string, string] {
  const side = (value: Difference['actual']) =>
    type === 'path' && typeof value === 'object' && value !== null
      ? names(value as unknown as Unreached)
      : differenceText(type, value)
  return [side(expected), side(actual)]
}
