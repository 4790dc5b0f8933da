import type { Json } from '../../values/json'
import type { SystemVariableName } from '../../values/systemVariables'
import type { Fields } from '../fields'
import type { ForeignBlock, ImportedProduct, ImportNote } from '../importer'
import type { Schedule } from './schedule'

/**
 * A file of a product that draws nodes, in one shape. Such a product runs its graph from the start for each message of the visitor:
 * here a group asks for the message, and every end leads back to it.
 */
export interface NodeGraph {
  product: Extract<ImportedProduct, 'dify' | 'flowise'>
  version: string
  nodes: readonly GraphNode[]
  edges: readonly NodeEdge[]
  /** the node that a run begins at; null: the file has none */
  start: string | null
  /** what happens at the beginning of each run; null: the graph runs once and the conversation ends */
  message: { title: string; steps: ForeignBlock[] } | null
  /** what the file declares, with what each starts with */
  variables: readonly { key: string; name: string; value: Json }[]
  notes: readonly ImportNote[]
  schedule: Schedule
  /** what a text or a selector of a node names; null: nothing that is known */
  resolve: (written: unknown, node: GraphNode) => Reference | null
  /** how far its canvas is stretched, since its nodes are smaller than groups */
  scale: { x: number; y: number }
}

export interface GraphNode {
  id: string
  type: string
  title: string
  /** null: the file has no usable position */
  position: { x: number; y: number } | null
  /** as the file has it, which a placeholder keeps */
  data: Fields
  /** the blocks that the node is made of here, in order */
  steps: readonly ForeignBlock[]
  /** the exit that an error takes */
  failure: string
  /** its outputs that something in the file reads */
  readOutputs: readonly string[]
  /** the id of the loop or the iteration that it stands in */
  parent: string | null
  /** the title of that, where nothing here repeats as it does */
  inside: string | null
}

export interface NodeEdge {
  source: string
  /** as importers name it in `ports` */
  exit: string
  target: string
}

/** The only exit of most nodes. */
export const DEFAULT_EXIT = 'default'
/** The variable of what the visitor wrote last. */
export const MESSAGE = 'message'
/** An error that no exit takes: the run is over. */
export const RUN_FAILS = 'run fails'

/** What stands for a value of the file. */
export type Reference = { path?: string } & (
  | { node: string; output: string }
  | { declared: string }
  | { system: SystemVariableName }
  /** nothing here knows it: a variable of that name stays empty */
  | { unknown: string }
)
