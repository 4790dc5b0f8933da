import type { ForeignBlock } from '../importer'
import { EACH, type Iteration } from './iterations'
import { DEFAULT_EXIT, type GraphNode, type NodeEdge, RUN_FAILS } from './nodeGraph'

/** How texts of the file name a value: `node`'s output of that name. */
type Selector = (node: string, output: string) => unknown

interface Iterated {
  /** the node itself, without steps */
  node: GraphNode
  /** the list that it goes through, as the file names it; `isJson`: a text that spells one; `items`: the list itself */
  list: { of: unknown; isJson?: boolean; items?: readonly unknown[] }
  /** what a round gives, as the file names it; null: nothing reads the results */
  result: unknown
  /** what rounds give to each other's nodes, as the file names it: the next round begins without */
  forgets: readonly unknown[]
  /** the output that the results are called by, and whether they are put together as lines there */
  output: string
  joins: boolean
  /** the id of the node that begins a round, where the file has one */
  headId: string
  headPosition: GraphNode['position']
  headType: string
}

/** An iteration of a file: the node, what stands inside of it, its order, and the groups that come of it. */
export interface DrawnIteration {
  id: string
  inner: ReadonlySet<string>
  iteration: Iteration
  nodes: GraphNode[]
}

/** The edges of a graph as they are with the groups of its iterations: who draws them follows these, who orders nodes the file's own. */
export function withRounds(edges: readonly NodeEdge[], drawn: readonly DrawnIteration[]): NodeEdge[] {
  const iterations = drawn.map(({ id, inner, iteration: { head, keep } }) => ({ id, inner, head, keep }))
  const byId = new Map(iterations.map((one) => [one.id, one]))
  const byHead = new Map(iterations.map((one) => [one.head, one]))
  const redrawn = edges.map((edge): NodeEdge => {
    const left = byId.get(edge.source)
    if (left) return { ...edge, source: left.head }
    return byHead.has(edge.source) ? { ...edge, exit: EACH } : edge
  })
  const hasHead = new Set(edges.map(({ source }) => source))
  const added = iterations.flatMap(({ id, head, keep, inner }) => {
    const last = [...inner].filter((node) => node !== head && !edges.some(({ source }) => source === node))
    const firsts = [...inner].filter((node) => node !== head && !edges.some(({ target }) => target === node))
    return [
      { source: id, exit: DEFAULT_EXIT, target: head },
      ...(hasHead.has(head) ? [] : firsts.map((target) => ({ source: head, exit: EACH, target }))),
      ...last.map((source) => ({ source, exit: DEFAULT_EXIT, target: keep ?? head })),
      ...(keep === null ? [] : [{ source: keep, exit: DEFAULT_EXIT, target: head }]),
    ]
  })
  return [...redrawn, ...added]
}

/**
 * An iteration as groups: one that takes the list, one at the head of each round that takes the next item, and one that keeps what the round
 * gave. What is left is counted down, so that an item may be anything.
 */
export function iterationNodes(
  iterated: Iterated,
  selector: Selector,
): { head: string; keep: string | null; nodes: GraphNode[] } {
  const { node, list, result, output, joins, headId } = iterated
  const of = (name: string) => selector(node.id, name)
  const step = (type: string, fields: Omit<ForeignBlock, 'type' | 'id'>): ForeignBlock => ({
    ...fields,
    id: node.id,
    type,
  })
  const isKept = result !== null
  const hasIndex = node.readOutputs.some((read) => /^index\b/.test(read))
  const kept = joins ? 'results' : output
  const around = (id: string, title: string, steps: ForeignBlock[], position: GraphNode['position']): GraphNode => ({
    ...node,
    id,
    title: `${node.title}: ${title}`,
    steps,
    position,
    failure: RUN_FAILS,
    readOutputs: [],
    inside: null,
  })
  const begin = {
    ...node,
    failure: DEFAULT_EXIT,
    steps: [
      step('items', { to: of('rest'), of: list.of, isJson: list.isJson, items: list.items }),
      step('items left', { to: of('left'), of: of('rest') }),
      ...(hasIndex ? [step('index', { to: of('index'), isFirst: true })] : []),
      ...(isKept ? [step('results', { to: of(kept) })] : []),
    ],
  }
  const head = around(
    headId,
    'next item',
    [
      ...iterated.forgets.map((to) => step('forget', { to })),
      step('one less', { to: of('left') }),
      ...(hasIndex ? [step('index', { to: of('index') })] : []),
      step('next item', { to: of('item'), of: of('rest') }),
      step('item taken', { of: of('left') }),
      ...(isKept && joins ? [step('joined', { to: of(output), of: of(kept) })] : []),
    ],
    iterated.headPosition,
  )
  if (!isKept) return { head: headId, keep: null, nodes: [begin, { ...head, type: iterated.headType }] }
  const { position } = node
  const below = position && { x: position.x, y: position.y + 160 }
  const keep = around(`${node.id} keep`, 'keep', [step('keep', { to: of(kept), of: result })], below)
  return { head: headId, keep: keep.id, nodes: [begin, { ...head, type: iterated.headType }, keep] }
}
