import type { FlowDocument } from '../../../engine/document/flowDocument'
import type { PlainSecret } from '../../../engine/flow/defineBlock'
import type { Registry } from '../../../engine/flow/registry'
import type { DynamicValue } from '../../../engine/values/dynamicValue'
import type { Json } from '../../../engine/values/json'
import { secretIdOf } from '../../../engine/values/secrets'
import { writePath } from '../../text/form/path'

/**
 * Saves a field's plain-text secret, and replaces it by its chip there and everywhere else in the block, as one undo
 * step. Does nothing if the field has none any more. Rejects as `create` does.
 */
export async function savePlainSecret(
  { document, registry }: { document: FlowDocument; registry: Registry },
  { blockId, path }: { blockId: string; path: string },
  create: (secret: { like: string; value: string }) => Promise<string>,
): Promise<void> {
  const plainSecrets = (): PlainSecret[] => {
    const block = document.projection().blocks.get(blockId)
    const definition = block && registry.find(block.kind)
    const parsed = block && definition?.schema.safeParse(block.data)
    return definition && parsed?.success ? definition.plainSecrets(parsed.data) : []
  }
  const found = plainSecrets().find((plain) => plain.path === path)
  if (!found) return
  const variable_id = secretIdOf(await create({ like: found.wantedName, value: found.secret }))
  // rows may have been added or removed meanwhile
  const same = plainSecrets().filter(({ secret }) => secret === found.secret)
  const block = document.projection().blocks.get(blockId)
  if (!block || same.length === 0) return
  const sealed = same.reduce<unknown>((data, { path, scheme }) => {
    const chip: DynamicValue = {
      type: 'dynamic',
      parts: [...(scheme ? [{ type: 'text' as const, text: scheme }] : []), { type: 'variable', variable_id }],
    }
    return writePath(data, path.split('.'), chip)
  }, block.data)
  document.commands.batch(() => document.commands.setBlockData(blockId, sealed as Record<string, Json>))
}
