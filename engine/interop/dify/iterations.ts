import { clip, listOf, textOf } from '../fields'
import type { ImportNote } from '../importer'
import { type DrawnIteration, iterationNodes } from '../nodes/iterationNodes'
import type { GraphNode, NodeEdge } from '../nodes/nodeGraph'
import { difySchedule } from './difySchedule'

type Note = (level: ImportNote['level'], message: string, place?: string) => void

/**
 * An iteration node as groups with a schedule of their own; null for other nodes, and for one whose rounds have no
 * start. Its nodes stop counting as nested: rounds lead to them.
 */
export function iterationOf(
  node: GraphNode,
  all: GraphNode[],
  edges: readonly NodeEdge[],
  note: Note,
): DrawnIteration | null {
  if (node.type !== 'iteration' || node.parent !== null) return null
  const inner = all.filter(({ parent }) => parent === node.id)
  const first = inner.find(({ type }) => type === 'iteration-start')
  if (!first || listOf(node.data.iterator_selector).length < 2) return null
  for (const each of inner) each.inside = null
  const { head, keep, nodes } = iterationNodes(
    {
      node,
      list: { of: node.data.iterator_selector },
      result: node.readOutputs.some((read) => read.startsWith('output')) ? node.data.output_selector : null,
      forgets: inner.flatMap(({ id, readOutputs }) => readOutputs.map((read) => [id, ...read.split('.')])),
      output: 'output',
      joins: false,
      headId: first.id,
      headPosition: first.position,
      headType: first.type,
    },
    (id, output) => [id, output],
  )
  if (node.data.is_parallel === true)
    note('info', 'Its rounds ran side by side: here one runs after the other.', clip(node.title, 100))
  note(
    'info',
    'A conversation stops after 1,000 blocks without a question: its list must not be too long.',
    clip(node.title, 100),
  )
  const own = new Set(inner.map(({ id }) => id))
  const within = edges.filter(({ source, target }) => own.has(source) && own.has(target))
  const order = difySchedule(first.id, within)
  // the head starts a round
  const rounds = { ...order, begin: () => order.leave(order.begin(), 'default') }
  const endsOnError = !/^(?:continue-on-error|remove-abnormal-output)$/.test(textOf(node.data.error_handle_mode))
  return { id: node.id, inner: own, iteration: { head, keep, rounds, endsOnError }, nodes }
}
