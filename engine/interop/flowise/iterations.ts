import { clip, textOf } from '../fields'
import { type DrawnIteration, iterationNodes } from '../nodes/iterationNodes'
import type { GraphNode, NodeEdge, Reference } from '../nodes/nodeGraph'
import { fromHtml } from '../typebot/htmlTexts'
import { STRUCTURED } from './references'

/** What an iteration needs to know about its file. */
interface Around {
  nodes: readonly GraphNode[]
  edges: readonly NodeEdge[]
  resolve: (written: unknown, node: GraphNode) => Reference | null
  /** creates the schedule of some nodes among each other */
  rounds: (starts: readonly string[], edges: readonly NodeEdge[]) => DrawnIteration['iteration']['rounds']
}

/** Not supported within a round: decisions, loops, nested iterations. */
const NOT_INSIDE = new Set(['humanInputAgentflow', 'loopAgentflow', 'iterationAgentflow'])

/** An iteration as groups with a schedule of their own; null for other nodes, and for one that can't be converted. */
export function iterationOf(node: GraphNode, { nodes: all, edges, resolve, rounds }: Around): DrawnIteration | null {
  if (node.type !== 'iterationAgentflow' || node.parent !== null) return null
  const inner = all.filter(({ parent }) => parent === node.id)
  const list = listOf(node, resolve)
  if (!list || inner.length === 0 || inner.some(({ type }) => NOT_INSIDE.has(type))) return null
  const own = new Set(inner.map(({ id }) => id))
  const within = edges.filter(({ source, target }) => own.has(source) && own.has(target))
  const starts = inner.filter(({ id }) => !within.some(({ target }) => target === id)).map(({ id }) => id)
  const last = inner.findLast(({ id }) => !within.some(({ source }) => source === id))
  for (const each of inner) each.inside = null
  const isRead = node.readOutputs.some((read) => read.startsWith('content'))
  const { head, keep, nodes } = iterationNodes(
    {
      node,
      list,
      result: isRead && last ? last.id : null,
      forgets: inner.flatMap(({ id, readOutputs }) => readOutputs.map((read) => `${id}.output.${read}`)),
      output: 'content',
      joins: true,
      headId: `${node.id} head`,
      headType: node.type,
      headPosition: node.position && { x: node.position.x, y: node.position.y + 80 },
    },
    (id, output) => `${id}.output.${output}`,
  )
  return {
    id: node.id,
    inner: own,
    nodes,
    iteration: { head, keep, rounds: rounds(starts, within), endsOnError: true },
  }
}

/** The list iterated over: literal in the file, or a value that holds or spells one. */
function listOf(
  node: GraphNode,
  resolve: Around['resolve'],
): { of: unknown; isJson?: boolean; items?: unknown[] } | null {
  const names = { byName: () => undefined, find: () => null, note: () => undefined }
  const html = textOf(node.data.iterationInput)
  const text = /^\s*</.test(html)
    ? fromHtml(html, names)
        .flatMap(({ children }) => children.map((child) => child.text))
        .join('')
    : html
  const written = /^\s*\{\{([^{}]+)\}\}\s*$/.exec(text)?.[1]
  if (written !== undefined) {
    const found = resolve(written, node)
    if (!found || 'unknown' in found) return null
    return { of: written, isJson: !('node' in found) || !(found.output === STRUCTURED || found.output === 'data') }
  }
  const items = parsed(text)
  return Array.isArray(items) && clip(text, 2_000) === text ? { of: null, items } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
