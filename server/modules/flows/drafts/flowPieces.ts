import type { Flow } from '../../../../engine/flow/schema'

/** A flow as small JSON texts, so that a flow parsed in a thread can be passed to another one without blocking it. */
export interface FlowPieces {
  /** without its lists */
  head: string
  /** without their blocks */
  groups: string[]
  /** each block with its group's index */
  blocks: string[]
  edges: string[]
  variables: string[]
}

/** Approximate characters of a piece: a fraction of a millisecond to parse. */
const PIECE = 32_000

export function cutFlow({ groups, edges, variables, ...head }: Flow): FlowPieces {
  return {
    head: JSON.stringify(head),
    groups: chunk(groups.map((group) => ({ ...group, blocks: [] }))),
    blocks: chunk(groups.flatMap(({ blocks }, at) => blocks.map((block) => [at, block]))),
    edges: chunk(edges),
    variables: chunk(variables),
  }
}

/** Reassembles the flow, one piece per step. */
export function* joinFlow({ head, ...pieces }: FlowPieces): Generator<void, Flow> {
  const flow: Flow = { ...JSON.parse(head), groups: [], edges: [], variables: [] }
  for (const list of ['groups', 'edges', 'variables'] as const)
    for (const piece of pieces[list]) {
      flow[list].push(...JSON.parse(piece))
      yield
    }
  for (const piece of pieces.blocks) {
    for (const [at, block] of JSON.parse(piece)) flow.groups[at]?.blocks.push(block)
    yield
  }
  return flow
}

function chunk(items: readonly unknown[]): string[] {
  const pieces: string[] = []
  let piece: string[] = []
  let length = 0
  const end = () => {
    if (piece.length > 0) pieces.push(`[${piece.join(',')}]`)
    piece = []
    length = 0
  }
  for (const item of items) {
    const text = JSON.stringify(item)
    piece.push(text)
    length += text.length
    if (length >= PIECE) end()
  }
  end()
  return pieces
}
