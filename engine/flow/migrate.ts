import { EngineError } from '../errors'
import type { AnyBlock } from './defineBlock'
import type { Block } from './schema'

/**
 * Migrates a stored block to the present version of its kind. Throws MIGRATION_FAILED, and FLOW_TOO_NEW for a block
 * that a newer Parley wrote.
 */
export function migrateBlock(block: Block, definition: AnyBlock): Block {
  const present = definition.migrations.length
  if (block.version === present) return block
  if (block.version > present) throw new EngineError('FLOW_TOO_NEW', `Block '${block.id}' (${block.kind}).`)
  let data: Record<string, unknown> = block.data
  for (const migration of definition.migrations.slice(block.version)) {
    try {
      data = migration.up(structuredCopy(data))
    } catch (cause) {
      throw new EngineError('MIGRATION_FAILED', `Block '${block.id}' (${block.kind}), ${migration.name}.`, { cause })
    }
  }
  return { ...block, version: present, data: data as Block['data'] }
}

/** A copy for migrations, which may mutate their input. */
const structuredCopy = (data: Record<string, unknown>): Record<string, unknown> => JSON.parse(JSON.stringify(data))
