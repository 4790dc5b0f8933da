import type { Json } from '../../values/json'
import type { SystemVariableName } from '../../values/systemVariables'
import type { Fields } from '../fields'
import type { ForeignBlock, ImportedProduct, ImportNote } from '../importer'
import type { Schedule } from './schedule'

/**
 * A product's graph of nodes in a common shape. Such a product runs its graph from the start for each message of the
 * visitor: here a group asks for the message, and every end leads back to it.
 */
export interface NodeGraph {
  product: Extract<ImportedProduct, 'dify' | 'flowise'>
  version: string
  nodes: readonly GraphNode[]
  edges: readonly NodeEdge[]
  /** the node that a run starts at; null: the file has none */
  start: string | null
  /** steps at the start of each run; null: the graph runs once, and then the conversation ends */
  message: { title: string; steps: ForeignBlock[] } | null
  /** variables declared by the file, with their initial values */
  variables: readonly { key: string; name: string; value: Json }[]
  notes: readonly ImportNote[]
  schedule: Schedule
  /** resolves a reference in a node's text or selector; null: unknown */
  resolve: (written: unknown, node: GraphNode) => Reference | null
  /** how far positions are scaled, since the product's nodes are smaller than groups */
  scale: { x: number; y: number }
}

export interface GraphNode {
  id: string
  type: string
  title: string
  /** null: the file has no usable position */
  position: { x: number; y: number } | null
  /** the node as in the file; a placeholder keeps it */
  data: Fields
  /** the blocks that the node becomes, in order */
  steps: readonly ForeignBlock[]
  /** the exit taken on an error */
  failure: string
  /** its outputs that anything in the file reads */
  readOutputs: readonly string[]
  /** the id of the loop or iteration that contains it */
  parent: string | null
  /** the title of that, if it could not be converted */
  inside: string | null
}

export interface NodeEdge {
  source: string
  /** the key in an importer's `ports` */
  exit: string
  target: string
}

/** The only exit of most nodes. */
export const DEFAULT_EXIT = 'default'
/** The variable of the visitor's last message. */
export const MESSAGE = 'message'
/** The failure exit where none is drawn: the run ends. */
export const RUN_FAILS = 'run fails'

/** What a value of the file refers to. */
export type Reference = { path?: string } & (
  | { node: string; output: string }
  | { declared: string }
  | { system: SystemVariableName }
  /** unknown here: becomes a variable of that name, which stays empty */
  | { unknown: string }
)
