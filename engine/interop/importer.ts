import type { IdSource } from '../flow/ids'
import type { EdgeTarget } from '../flow/schema'
import type { DynamicValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import type { RichText } from '../values/richText'

/**
 * Converts blocks of another product. The framework (engine/interop) reads the file, the groups, edges and variables;
 * each kind maps the blocks that it replaces, in its own folder.
 */
export interface BlockImporter {
  product: Exclude<ImportedProduct, 'parley'>
  /**
   * the product's names for the block, e.g. `email input`; several kinds may share one, and are tried in palette order
   */
  types: readonly string[]
  /** settings that it does not read are noted as ignored */
  map(block: ForeignBlock, context: ImportContext): MappedBlock | NotMapped
}

/** For products whose graphs have nodes with one job each: gets more context (engine/interop/nodes). */
export interface NodeImporter extends BlockImporter {
  product: 'dify' | 'flowise'
  map(block: ForeignBlock, context: NodeContext): MappedBlock | NotMapped
}

/** A block as in the file, unchecked. */
export interface ForeignBlock {
  id: string
  type: string
  [field: string]: unknown
}

export interface ImportContext {
  id: IdSource
  /** our id for a foreign variable id; null if none is named, or the file has no such variable (which is noted) */
  variable: (foreignId: unknown) => string | null
  /** Typebot: whether values are appended to the variable, so that it holds a list */
  isList: (foreignId: unknown) => boolean
  /**
   * replaces `{{Name}}` in a text by a variable; unknown names stay text. More than `max` characters are cut. Both are
   * noted
   */
  text: (value: unknown, max: number) => DynamicValue
  /** Typebot: the meaning of a value's code here */
  calculation: (code: string) => Calculation
  /**
   * converts the product's rich text: a text's content (its node tree, otherwise its HTML or plain text), or a plain
   * string
   */
  richText: (value: unknown) => RichText
  /** sets the initial value of a variable, if the file gives it none */
  startWith: (variableId: string, value: Json) => void
  /** our target for a foreign group and optionally a block in it; null if there is none */
  target: (groupId: unknown, blockId: unknown) => EdgeTarget | null
  /** Typebot: whether a jump there may reach a block that returns */
  returns: (groupId: unknown, blockId: unknown) => boolean
  /** reports what could not be imported, and why */
  note: (message: string) => void
  /** reports once per file what would otherwise be noted in every such place */
  remark: (message: string) => void
}

/**
 * An expression; a text, if the product fails to read it as code, too; or why there is no equivalent, as a clause "it
 * …".
 */
export type Calculation =
  | { type: 'expression'; value: DynamicValue }
  | { type: 'text' }
  | { type: 'unable'; because: string }

export interface NodeContext extends ImportContext {
  /** our variable for an output of this node, by the product's name; created on first use */
  output: (name: string) => string | null
  /** the outputs of this node that anything in the file reads, by name and path */
  readOutputs: readonly string[]
  /** a value that the file names by a selector, not in a text: a variable or a part of one; null if there is none */
  value: (selector: unknown) => { variableId: string; path?: string } | null
  /** the exit taken when this node fails: its own error exit, or the end of the run */
  failure: string
}

export interface MappedBlock {
  data: Record<string, unknown>
  /**
   * maps foreign exits to ports: `default` is the block's own outgoing edge, the others are ids of items (or paths)
   * that edges leave by. Missing foreign exits are reported and dropped.
   */
  ports: { default?: string; [foreignItemId: string]: string | undefined }
}

/**
 * The kind can't replace this block. If no other can either, it becomes a placeholder with this reason, which ends with
 * what to do instead. An importer must return this before it notes anything.
 */
export interface NotMapped {
  notMapped: string
}

export interface ImportNote {
  level: 'info' | 'warning'
  /** where in the file: the group's title and the block's type, if it concerns one */
  place?: string
  message: string
}

/** The products that files are imported from. */
export const importedProducts = ['parley', 'typebot', 'dify', 'flowise'] as const
export type ImportedProduct = (typeof importedProducts)[number]

export interface ImportReport {
  product: ImportedProduct
  version: string
  mapped: { type: string; kind: string; count: number }[]
  /** `places`: the titles of the first few groups concerned */
  placeholders: { type: string; count: number; reason: string; places: string[] }[]
  notes: ImportNote[]
}
