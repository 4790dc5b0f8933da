import type { Json } from '../values/json'
import { gatherSecrets, type PresentSecrets } from '../values/secrets'
import type { SaveSecret } from './defineBlock'
import { namedInFlow } from './namedInFlow'
import type { Registry } from './registry'
import type { Block, ChatbotFlows, Flow } from './schema'

/** The fields of a block that sealing reads. */
type Sealable = Pick<Block, 'kind' | 'data'>

/**
 * Replaces what looks like a secret in plain text in a block's data: `save` stores the value, and a chip takes its
 * place. Returns the same object if there is none. Data that its kind can't process stays as it is.
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

/** The same for a flow; returns the same object if it holds nothing in plain text. */
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

/** The same for all flows of a chatbot. */
const sealFlows = ({ main, others }: ChatbotFlows, registry: Registry, save: SaveSecret): ChatbotFlows => ({
  main: sealFlow(main, registry, save),
  others: others.map(({ flow, ...other }) => ({ ...other, flow: sealFlow(flow, registry, save) })),
})

/** Secrets of imported flows: values of new secrets by name, and the names of all secrets that they refer to. */
export interface FlowSecrets {
  added: [name: string, value: string][]
  named: string[]
}

/** Seals imported flows: plain-text secrets are returned, and the flows refer to them by name. */
export function sealInto(
  flows: ChatbotFlows,
  registry: Registry,
  present: PresentSecrets,
): { flows: ChatbotFlows; secrets: FlowSecrets } {
  const { save, added } = gatherSecrets(present)
  const sealed = sealFlows(flows, registry, save)
  const all = [sealed.main, ...sealed.others.map(({ flow }) => flow)]
  const named = new Set(all.flatMap((flow) => namedInFlow(flow, registry, 'secrets')))
  return { flows: sealed, secrets: { added: [...added], named: [...named] } }
}
