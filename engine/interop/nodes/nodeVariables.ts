import type { IdSource } from '../../flow/ids'
import { flowCaps, type Variable } from '../../flow/schema'
import { PATH_CAP } from '../../values/valuePath'
import { clip } from '../fields'
import type { ReportWriter } from '../report'
import { createNames } from '../typebot/variables'
import type { GraphNode, NodeGraph, Reference } from './nodeGraph'

/** A variable of ours, or a part of one. */
export interface Value {
  variableId: string
  path?: string
}

export interface NodeVariables {
  variables: Variable[]
  /** null if there is no room for more variables */
  of: (reference: Reference) => Value | null
  output: (node: GraphNode, name: string) => string | null
  /** the variable of an output, if anybody asked for it */
  known: (nodeId: string, output: string) => string | undefined
}

/**
 * Nodes pass values by node id and output name; here these become variables, named after the node's title and the
 * output. Each is created when it is first read or written.
 */
export function createNodeVariables(graph: NodeGraph, ids: IdSource, report: ReportWriter): NodeVariables {
  const variables: Variable[] = []
  const byKey = new Map<string, string>()
  const freeName = createNames()
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))

  function variable(key: string, name: string, value: Variable['value'] = null): string | null {
    const known = byKey.get(key)
    if (known !== undefined) return known
    if (variables.length >= flowCaps.variables) {
      report.note('warning', undefined, `Only the first ${flowCaps.variables} variables are kept.`)
      return null
    }
    const id = ids()
    byKey.set(key, id)
    variables.push({ id, name: freeName(name), value })
    return id
  }
  for (const { key, name, value } of graph.variables) {
    const id = variable(`declared ${key}`, name, value)
    const made = variables.find((each) => each.id === id)
    if (made && made.name !== name)
      report.note('info', undefined, `The variable '${clip(name, 80)}' is called '${made.name}' here.`)
  }
  const outputKey = (nodeId: string, output: string) => JSON.stringify([nodeId, output])

  function output(node: GraphNode, name: string): string | null {
    return variable(outputKey(node.id, name), `${clip(node.title, 30)} ${clip(name, 40)}`)
  }
  function idOf(reference: Reference): string | null {
    if ('system' in reference) return `sys_${reference.system}`
    if ('declared' in reference) return variable(`declared ${reference.declared}`, reference.declared)
    if ('unknown' in reference) return variable(`unknown ${reference.unknown}`, reference.unknown)
    const node = nodes.get(reference.node)
    return node ? output(node, reference.output) : null
  }
  return {
    variables,
    output,
    known: (nodeId, name) => byKey.get(outputKey(nodeId, name)),
    of(reference) {
      const variableId = idOf(reference)
      if (variableId === null) return null
      const { path } = reference
      return path && path.length <= PATH_CAP ? { variableId, path } : { variableId }
    },
  }
}
