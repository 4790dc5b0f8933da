import type { Json } from '../values/json'
import { gatherSecrets, type PresentSecrets } from '../values/secrets'
import type { SaveSecret } from './defineBlock'
import type { Registry } from './registry'
import type { Block, ChatbotFlows, Flow } from './schema'

/** What sealing reads of a block, wherever it is kept. */
type Sealable = Pick<Block, 'kind' | 'data'>

/**
 * The data of a block without what looks like a secret in plain text: that is given to `save`, and a chip of it stands there instead. The
 * very same data where there is none. Data that its kind can't digest stays as it is.
 */
export function sealBlock({ kind, data }: Sealable, registry: Registry, save: SaveSecret): Block['data'] {
  const definition = registry.find(kind)
  if (!definition) return data
  let saved = 0
  const count: SaveSecret = (value, wanted) => {
    saved++
    return save(value, wanted)
  }
  try {
    const sealed = definition.sealPlain(data, count) as Record<string, Json>
    return saved > 0 ? sealed : data
  } catch (error) {
    if (error instanceof TypeError) return data
    throw error
  }
}

/** A flow likewise; the same flow where it holds nothing in plain text. */
export function sealFlow(flow: Flow, registry: Registry, save: SaveSecret): Flow {
  let changed = false
  const groups = flow.groups.map((group) => ({
    ...group,
    blocks: group.blocks.map((block) => {
      const data = sealBlock(block, registry, save)
      if (data === block.data) return block
      changed = true
      return { ...block, data }
    }),
  }))
  return changed ? { ...flow, groups } : flow
}

/** All flows of a chatbot likewise. */
const sealFlows = ({ main, others }: ChatbotFlows, registry: Registry, save: SaveSecret): ChatbotFlows => ({
  main: sealFlow(main, registry, save),
  others: others.map(({ flow, ...other }) => ({ ...other, flow: sealFlow(flow, registry, save) })),
})

/** What flows bring into a project: values for new secrets by their names, and the names of all that they refer to. */
export interface FlowSecrets {
  added: [name: string, value: string][]
  named: string[]
}

/** Flows as they come into a project from outside: what stands open in them is told, and stands in them by name. */
export function sealInto(
  flows: ChatbotFlows,
  registry: Registry,
  present: PresentSecrets,
): { flows: ChatbotFlows; secrets: FlowSecrets } {
  const { save, added } = gatherSecrets(present)
  const sealed = sealFlows(flows, registry, save)
  const all = [sealed.main, ...sealed.others.map(({ flow }) => flow)]
  const named = new Set(all.flatMap((flow) => secretsOfFlow(flow, registry)))
  return { flows: sealed, secrets: { added: [...added], named: [...named] } }
}

/** The names of the secrets that a flow refers to, each once. */
export function secretsOfFlow(flow: Flow, registry: Registry): string[] {
  const names = flow.groups.flatMap(({ blocks }) => blocks.flatMap((block) => secretsOfBlock(block, registry)))
  return [...new Set(names)]
}

function secretsOfBlock({ kind, data }: Sealable, registry: Registry): string[] {
  try {
    return registry.find(kind)?.secrets(data) ?? []
  } catch (error) {
    // of data that its kind can't digest nothing is sent either
    if (error instanceof TypeError) return []
    throw error
  }
}
