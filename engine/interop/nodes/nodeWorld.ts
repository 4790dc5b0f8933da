import type { IdSource } from '../../flow/ids'
import type { Block } from '../../flow/schema'
import type { BlockMapper } from '../blockMapper'
import type { ReportWriter } from '../report'
import type { GraphNode, NodeGraph } from './nodeGraph'
import type { NodeVariables } from './nodeVariables'

/** The result of mapping a node: its blocks, and for each exit the port of which block it leaves by. */
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

/** A reference from one node to another one's output. */
export interface Read {
  reader: GraphNode
  writer: string
  output: string
  variableId: string
}
