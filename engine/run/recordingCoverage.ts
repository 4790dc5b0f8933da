import type { Registry } from '../flow/registry'
import type { ChatbotFlows, Flow } from '../flow/schema'
import type { Recording } from './recordingFormat'

/** What no test reaches: a group, or a port of a block in a reached group. */
export interface Unreached {
  flowId: string | null
  groupId: string
  blockId?: string
  portId?: string
}
export interface Coverage {
  groups: { reached: number; total: number }
  ports: { reached: number; total: number }
  unreached: Unreached[]
}

/**
 * Coverage of a chatbot by its tests: non-empty groups, and the ports of their blocks.
 * @param conversations as the chatbot answers them now (`Replayed.present`)
 */
export function coverageOf(
  { main, others }: ChatbotFlows,
  registry: Registry,
  conversations: readonly Pick<Recording, 'turns'>[],
): Coverage {
  const steps = conversations.flatMap(({ turns }) => turns.flatMap(({ expected }) => expected.steps))
  const blocks = new Set(steps.map(({ flowId, blockId }) => key(flowId, blockId)))
  const left = new Set(steps.map(({ flowId, blockId, port }) => key(flowId, blockId, port)))
  const coverage: Coverage = {
    groups: { reached: 0, total: 0 },
    ports: { reached: 0, total: 0 },
    unreached: [],
  }
  const look = (flowId: string | null, flow: Flow) => {
    for (const group of flow.groups) {
      if (group.blocks.length === 0) continue
      const isReached = group.blocks.some(({ id }) => blocks.has(key(flowId, id)))
      coverage.groups.total++
      if (isReached) coverage.groups.reached++
      else coverage.unreached.push({ flowId, groupId: group.id })
      for (const block of group.blocks) {
        for (const { id: portId } of registry.portsOf(block)) {
          coverage.ports.total++
          if (left.has(key(flowId, block.id, portId))) coverage.ports.reached++
          else if (isReached) coverage.unreached.push({ flowId, groupId: group.id, blockId: block.id, portId })
        }
      }
    }
  }
  look(null, main)
  for (const { id, flow } of others) look(id, flow)
  return coverage
}

const key = (...parts: (string | null)[]): string => parts.join('\n')
