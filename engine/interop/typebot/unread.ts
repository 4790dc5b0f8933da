import { type Fields, isFields } from '../fields'
import { isUnset } from '../settings'

/** Structural fields, and fields that merely name things. */
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
 * Tracks which settings an importer reads, so that nothing of a file is dropped silently: `unread` names the others. An
 * object whose fields were not read (a list of test values, for example), or of which only the on/off switch was read,
 * counts as read as a whole.
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
