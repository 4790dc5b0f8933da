import { migrateBlock } from '../flow/migrate'
import type { Registry } from '../flow/registry'
import type { Block, Flow } from '../flow/schema'
import type { IntentExamples } from './trainIntents'

/** The intent triggers of flows with their phrases, for training; blocks that can't run have none. */
export const intentsOf = (flows: readonly Flow[], registry: Registry): IntentExamples[] =>
  flows.flatMap(({ groups }) => groups.flatMap(({ blocks }) => blocks.flatMap((block) => intentOf(block, registry))))

function intentOf(block: Block, registry: Registry): IntentExamples[] {
  const definition = registry.find(block.kind)
  if (!definition?.intent) return []
  try {
    const parsed = definition.schema.safeParse(migrateBlock(block, definition).data)
    return parsed.success ? [{ blockId: block.id, phrases: definition.intent(parsed.data).phrases }] : []
  } catch {
    return []
  }
}
