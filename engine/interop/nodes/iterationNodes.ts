import type { ForeignBlock } from '../importer'
import { EACH, type Iteration } from './iterations'
import { DEFAULT_EXIT, type GraphNode, type NodeEdge, RUN_FAILS } from './nodeGraph'

/** Builds the file's selector for `node`'s output of that name. */
type Selector = (node: string, output: string) => unknown

interface Iterated {
  /** the node itself, without steps */
  node: GraphNode
  /** the list iterated over, by the file's selector; `isJson`: a text that spells one; `items`: a literal list */
  list: { of: unknown; isJson?: boolean; items?: readonly unknown[] }
  /** the result of a round, by the file's selector; null: nothing reads the results */
  result: unknown
  /** values within a round, by the file's selectors, that are reset for the next one */
  forgets: readonly unknown[]
  /** the name of the results' output, and whether they are joined as lines */
  output: string
  joins: boolean
  /** the id of the node that starts a round, if the file has one */
  headId: string
  headPosition: GraphNode['position']
  headType: string
}

/** An iteration of a file: the node, its nested nodes, their schedule, and the resulting groups. */
export interface DrawnIteration {
  id: string
  inner: ReadonlySet<string>
  iteration: Iteration
  nodes: GraphNode[]
}

/** The graph's edges with the groups of its iterations: for drawing. Ordering nodes uses the file's own edges. */
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
 * An iteration as groups: one that reads the list, one at the head of each round that takes the next item, and one that
 * keeps the round's result. A counter tracks the remaining items, so that an item may have any value.
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
