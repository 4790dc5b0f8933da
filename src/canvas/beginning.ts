import type { Registry } from '../../engine/flow/registry'
import type { Scene } from './placed'

/**
 * The group in which most conversations start: with the least specific trigger (Start before Page opened, intents
 * last), the first in reading order. Undefined if there is none.
 */
export function beginningOf(scene: Scene, registry: Registry): string | undefined {
  let found: { groupId: string; wants: number } | undefined
  for (const groupId of scene.order().ids)
    for (const { kind } of scene.groups.get(groupId)?.blocks ?? []) {
      const definition = registry.find(kind)
      if (definition?.category !== 'trigger') continue
      const wants = definition.startsOn ? definition.rank : Infinity
      if (!found || wants < found.wants) found = { groupId, wants }
    }
  return found?.groupId
}
