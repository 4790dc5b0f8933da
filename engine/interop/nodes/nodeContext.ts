import { clip, textOf } from '../fields'
import type { NodeContext } from '../importer'
import { fromHtml } from '../typebot/htmlTexts'
import { toDynamicValue, type VariableNames } from '../typebot/texts'
import { fromMarkdown } from './fromMarkdown'
import type { GraphNode } from './nodeGraph'
import type { Value } from './nodeVariables'
import type { NodeWorld, Read } from './nodeWorld'

/** The import context of a node's step. References to other nodes are added to `reads`. */
export function createNodeContext(
  node: GraphNode,
  { graph, variables, ids }: NodeWorld,
  note: (message: string) => void,
  reads: Read[],
): NodeContext {
  function find(written: unknown): Value | null {
    const reference = graph.resolve(written, node)
    if (reference === null) return null
    if ('unknown' in reference)
      note(`'${clip(reference.unknown, 60)}' has no counterpart here: the variable of that name stays empty.`)
    const value = variables.of(reference)
    if (value && 'node' in reference)
      reads.push({ reader: node, writer: reference.node, output: reference.output, variableId: value.variableId })
    return value
  }
  const names: VariableNames = { byName: () => undefined, find, note }
  return {
    id: ids,
    variable: (selector) => find(selector)?.variableId ?? null,
    value: find,
    text: (value, max) => toDynamicValue(plain(textOf(value)), max, names),
    richText: (value) => (isHtml(textOf(value)) ? fromHtml(textOf(value), names) : fromMarkdown(textOf(value), names)),
    startWith: (variableId, value) => {
      const variable = variables.variables.find(({ id }) => id === variableId)
      if (variable && variable.value === null) variable.value = value
    },
    target: () => null,
    // these products have no code in values and no returning jumps, and their lists are ordinary values
    isList: () => false,
    calculation: () => ({ type: 'text' }),
    returns: () => false,
    note,
    remark: note,
    output: (name) => variables.output(node, name),
    readOutputs: node.readOutputs,
    failure: node.failure,
  }
}

/** HTML from a rich text editor starts with a block element. */
const isHtml = (text: string): boolean => /^\s{0,20}<(?:p|div|h[1-6]|ul|ol|blockquote|pre)[\s>]/i.test(text)

/** The plain text of rich text in a single-line field. */
function plain(text: string): string {
  if (!isHtml(text)) return text
  return fromHtml(text, { byName: () => undefined, find: () => null, note: () => undefined })
    .map(({ children }) => children.map((child) => child.text).join(''))
    .join('\n')
}
