import { EngineError } from '../errors'
import type { AnyBlock, Port } from './defineBlock'

export interface Registry {
  /** in the order of the list of kinds, which is also the palette's */
  readonly kinds: readonly AnyBlock[]
  /** undefined for an unknown kind */
  find(kind: string): AnyBlock | undefined
  /** Throws KIND_UNKNOWN. */
  get(kind: string): AnyBlock
  /** the ports of a stored block: none if its kind is unknown or can't process its data */
  portsOf(block: { readonly kind: string; readonly data: unknown }): Port[]
}

/** Creates a registry from a list of kinds. Throws KIND_DUPLICATE. */
export function createRegistry(kinds: readonly AnyBlock[]): Registry {
  const byKind = new Map<string, AnyBlock>()
  for (const definition of kinds) {
    if (byKind.has(definition.kind)) throw new EngineError('KIND_DUPLICATE', `'${definition.kind}'`)
    byKind.set(definition.kind, definition)
  }
  return {
    kinds,
    find: (kind) => byKind.get(kind),
    get(kind) {
      const definition = byKind.get(kind)
      if (!definition) throw new EngineError('KIND_UNKNOWN', `'${kind}'`)
      return definition
    },
    portsOf({ kind, data }) {
      try {
        return byKind.get(kind)?.ports(data) ?? []
      } catch {
        return []
      }
    },
  }
}
