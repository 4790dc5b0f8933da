import type { IdSource } from '../../flow/ids'
import type { Block } from '../../flow/schema'
import type { BlockMapper } from '../blockMapper'
import type { ReportWriter } from '../report'
import type { GraphNode, NodeGraph } from './nodeGraph'
import type { NodeVariables } from './nodeVariables'

/** What came of a node: its blocks, and by which port of which of them each of its exits leaves. */
export interface MappedNode {
  title: string
  isPlaceholder: boolean
  blocks: Omit<Block, 'id'>[]
  ports: Map<string, { block: number; portId: string }>
}

/** What the nodes of one import share. */
export interface NodeWorld {
  graph: NodeGraph
  variables: NodeVariables
  mapper: BlockMapper
  report: ReportWriter
  ids: IdSource
  reads: Read[]
}

/** A node that reads what another one gives. */
export interface Read {
  reader: GraphNode
  writer: string
  output: string
  variableId: string
}
