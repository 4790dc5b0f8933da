import type { AnyBlock } from './defineBlock'
import type { Registry } from './registry'
import type { Flow } from './schema'

/** What blocks refer to by name or id, and belongs to the project: its secrets, its connections. */
export type NamedThings = 'secrets' | 'connections'

/** The names or ids of what a flow's blocks refer to, without duplicates. */
export function namedInFlow(flow: Flow, registry: Registry, things: NamedThings): string[] {
  const names = flow.groups.flatMap(({ blocks }) =>
    blocks.flatMap(({ kind, data }) => namedInBlock(registry.find(kind), data, things)),
  )
  return [...new Set(names)]
}

function namedInBlock(kind: AnyBlock | undefined, data: unknown, things: NamedThings): string[] {
  try {
    return kind?.[things](data) ?? []
  } catch (error) {
    // data that its kind can't process is never sent
    if (error instanceof TypeError) return []
    throw error
  }
}
