import * as Y from 'yjs'
import type { Registry } from '../flow/registry'
import { sealBlock } from '../flow/sealFlow'
import type { Json } from '../values/json'
import { type Leaves, marksGone, readData } from './blockData'
import type { Roots } from './shape'
import type { KeyChange } from './undo'

/**
 * How many undo steps, newest first, hold no secret in plain text, neither written nor overwritten. Each block is
 * examined as it was around the step, since its other fields decide whether a value is a secret.
 */
export function stepsWithoutSecrets(
  roots: Roots,
  registry: Registry,
  steps: readonly (readonly KeyChange[])[],
): number {
  /** values of block keys before the steps examined so far */
  const earlier = new Map<string, Map<string, Json | undefined>>()
  const holdsSecret = (id: string) => {
    const map = roots.blocks.get(id)
    if (!(map instanceof Y.Map)) return false
    const data = readData(leavesOf(map, earlier.get(id) ?? new Map()))
    let found = false
    sealBlock({ kind: String(map.get('kind')), data }, registry, (_, wanted) => {
      found = true
      return wanted
    })
    return found
  }
  const bad = steps.findIndex((changes) => {
    const touched = new Map<string, KeyChange[]>()
    for (const change of changes)
      if (change.root === 'blocks' && change.id !== null)
        touched.set(change.id, [...(touched.get(change.id) ?? []), change])
    return [...touched].some(([id, own]) => {
      if (holdsSecret(id)) return true
      const before = earlier.get(id) ?? new Map<string, Json | undefined>()
      earlier.set(id, before)
      for (const change of own) before.set(change.key, change.before)
      return holdsSecret(id)
    })
  })
  return bad < 0 ? steps.length : bad
}

/** As if no item had been deleted: undo restores them. */
function leavesOf(map: Y.Map<unknown>, earlier: ReadonlyMap<string, Json | undefined>): Leaves {
  const get = (key: string) => (earlier.has(key) ? earlier.get(key) : (map.get(key) as Json | undefined))
  return {
    get,
    keys: () =>
      [...new Set([...map.keys(), ...earlier.keys()])].filter((key) => !marksGone(key) && get(key) !== undefined),
  }
}
