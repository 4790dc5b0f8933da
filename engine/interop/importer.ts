import type { IdSource } from '../flow/ids'
import type { EdgeTarget } from '../flow/schema'
import type { DynamicValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'

/**
 * How blocks of another product become blocks of ours. The framework (engine/interop) reads the file, the groups, edges and
 * variables; each kind maps the blocks that it can stand for, in its own folder.
 */
export interface BlockImporter {
  product: Exclude<ImportedProduct, 'parley'>
  /** the product's names for the block, e.g. `email input`; several kinds may share one, and are asked in the palette's order */
  types: readonly string[]
  /** settings of the block that it does not read are noted as left out */
  map(block: ForeignBlock, context: ImportContext): MappedBlock | NotMapped
}

/** Of a product that draws nodes, each with one job: it is told more (engine/interop/nodes). */
export interface NodeImporter extends BlockImporter {
  product: 'dify' | 'flowise'
  map(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped
}

/** A block as the file has it, unchecked. */
export interface ForeignBlock {
  id: string
  type: string
  [field: string]: unknown
}

export interface ImportContext {
  id: IdSource
  /** our id for a foreign variable id; null when none is named, or the file has no such variable (which is noted) */
  variable: (foreignId: unknown) => string | null
  /** Typebot: whether values are appended to the variable, so that it holds a list */
  isList: (foreignId: unknown) => boolean
  /** `{{Name}}` in a text becomes a variable; unknown names stay text. What exceeds `max` characters is cut. Both are noted */
  text: (value: unknown, max: number) => DynamicValue
  /** Typebot: what the code of a value means here */
  calculation: (code: string) => Calculation
  /** the product's rich text becomes ours: a text's content (its node tree, else its HTML or plain text), or a plain string */
  richText: (value: unknown) => RichText
  /** what a variable of ours starts with, when the file gives it nothing */
  startWith: (variableId: string, value: Json) => void
  /** our place for a foreign group and, when it is named, a block in it; null when there is none */
  target: (groupId: unknown, blockId: unknown) => EdgeTarget | null
  /** Typebot: whether a jump there may come to a block that returns */
  returns: (groupId: unknown, blockId: unknown) => boolean
  /** says what could not be carried over, and why */
  note: (message: string) => void
  /** says once for the whole file what is otherwise here in every such place */
  remark: (message: string) => void
}

/** An expression; a text, where the product too fails to read it as code; or why nothing here can say it, as what `it …`. */
export type Calculation =
  | { type: 'expression'; value: DynamicValue }
  | { type: 'text' }
  | { type: 'unable'; because: string }

export interface NodeContext extends ImportContext {
  /** our variable for an output of this node, by the product's name for it; it is made when it is first asked for */
  output: (name: string) => string | null
  /** the outputs of this node that something in the file reads, by their names and the path of the part */
  readOutputs: readonly string[]
  /** a value that the file names by a selector, not in a text: a variable or a part of one; null when there is none */
  value: (selector: unknown) => { variableId: string; path?: string } | null
  /** the exit that a failure of this node takes: its own way out, or the end of the run */
  failure: string
}

export interface MappedBlock {
  data: Record<string, unknown>
  /**
   * which port a foreign exit becomes: `default` is the block's own outgoing edge, the others are the ids of the items
   * (or paths) that edges leave by. A foreign exit that is missing here is reported and dropped.
   */
  ports: { default?: string; [foreignItemId: string]: string | undefined }
}

/**
 * The kind can't stand for this block. When no other can either, it becomes a placeholder for this reason, which ends with what to
 * do instead. An importer says so before it notes anything.
 */
export interface NotMapped {
  notMapped: string
}

export interface ImportNote {
  level: 'info' | 'warning'
  /** where in the file: the group's title and the block's type, when it is about one */
  place?: string
  message: string
}

/** Whose file it was. */
export const importedProducts = ['parley', 'typebot', 'dify', 'flowise'] as const
export type ImportedProduct = (typeof importedProducts)[number]

export interface ImportReport {
  product: ImportedProduct
  version: string
  mapped: { type: string; kind: string; count: number }[]
  /** `places`: the titles of their groups, the first few */
  placeholders: { type: string; count: number; reason: string; places: string[] }[]
  notes: ImportNote[]
}
