import { type Fields, isFields } from '../fields'
import { isUnset } from '../settings'

/** What a file needs to hold its parts together, and what merely names them. */
const SKELETON = new Set([
  'id',
  'label',
  'type',
  'blockId',
  'stepId',
  'groupId',
  'typebotId',
  'outgoingEdgeId',
  'graphCoordinates',
])

/**
 * A block whose importer is watched, so that nothing of a file is lost in silence: `unread` names the settings that it did not
 * look at. An object that it took note of and did not go into (a list of test values), or only asked whether it is switched on,
 * counts as read with all it holds.
 */
export function watchReads<Block extends Fields>(block: Block): { watched: Block; unread: () => Set<string> } {
  const reads = new WeakMap<object, Set<string>>()
  const watchers = new WeakMap<object, object>()

  function watch<Value extends object>(value: Value): Value {
    const known = watchers.get(value)
    if (known) return known as Value
    const own = new Set<string>()
    const watcher = new Proxy(value, {
      get(target, name, receiver) {
        if (typeof name === 'string') own.add(name)
        const field: unknown = Reflect.get(target, name, receiver)
        return typeof field === 'object' && field !== null ? watch(field) : field
      },
    })
    reads.set(value, own)
    watchers.set(value, watcher)
    return watcher
  }

  function collect(value: unknown, names: Set<string>): Set<string> {
    if (Array.isArray(value)) for (const item of value) collect(item, names)
    const own = isFields(value) ? reads.get(value) : undefined
    const isWhole = !own || [...own].every((name) => name === 'isEnabled')
    if (isWhole && value !== block) return names
    for (const [name, field] of Object.entries(value as Fields)) {
      if (own?.has(name)) collect(field, names)
      else if (!SKELETON.has(name) && !isUnset(field)) names.add(name)
    }
    return names
  }

  return { watched: watch(block), unread: () => collect(block, new Set()) }
}
