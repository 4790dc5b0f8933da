import type { FlowCall } from './defineBlock'
import type { Registry } from './registry'
import type { Block, ChatbotFlows, Flow } from './schema'

/** Ids of the other flows that a flow's blocks enter, without duplicates. */
export function enteredFlows(flow: Flow, registry: Registry): string[] {
  const ids = flow.groups.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      const known = digest(block, registry)
      return known ? known.definition.enters(known.data) : []
    }),
  )
  return [...new Set(ids)]
}

/** How a flow's blocks call other flows. */
export const flowCalls = (flow: Flow, registry: Registry): FlowCall[] =>
  flow.groups.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      const known = digest(block, registry)
      return known ? known.definition.calls(known.data) : []
    }),
  )

/** Replaces the ids of a chatbot's other flows everywhere. Ids missing in `newIds` are kept. */
export function remapFlows(
  { main, others }: ChatbotFlows,
  registry: Registry,
  newIds: ReadonlyMap<string, string>,
): ChatbotFlows {
  const newId = (id: string): string => newIds.get(id) ?? id
  return {
    main: renaming(main, registry, newId),
    others: others.map(({ id, title, flow }) => ({ id: newId(id), title, flow: renaming(flow, registry, newId) })),
  }
}

const renaming = (flow: Flow, registry: Registry, newId: (id: string) => string): Flow => ({
  ...flow,
  groups: flow.groups.map((group) => ({
    ...group,
    blocks: group.blocks.map((block) => {
      const known = digest(block, registry)
      if (!known || known.definition.enters(known.data).length === 0) return block
      return { ...block, data: known.definition.remapFlows(known.data, newId) }
    }),
  })),
})

/** A block's data as parsed by its kind; null if that fails, so that nothing in it counts as an id. */
function digest(block: Block, registry: Registry) {
  const definition = registry.find(block.kind)
  const parsed = definition?.schema.safeParse(block.data)
  return definition && parsed?.success ? { definition, data: parsed.data } : null
}
