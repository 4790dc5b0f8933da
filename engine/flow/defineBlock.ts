import type { z } from 'zod'
import type { BlockImporter } from '../interop/importer'
import type { Json } from '../values/json'
import type { Step } from './effects'

export type BlockCategory = 'trigger' | 'bubble' | 'input' | 'logic' | 'other'

/** A declared way out of a block. A port without a label is the plain "next". */
export interface Port<PortId extends string = string> {
  id: PortId
  label?: string
  /** the row of the face this port belongs to, e.g. an option's id; the face puts the handle there */
  row?: string
  /** the port whose edge is taken when this one has none, e.g. an option that is not connected leaves by `default` */
  fallback?: PortId
}

export interface Migration {
  name: string
  up: (data: Record<string, unknown>) => Record<string, unknown>
}

export interface BlockDefinition<Kind extends string = string, Data = unknown, PortId extends string = string> {
  kind: Kind
  category: BlockCategory
  /** in English; the interface translates by `blocks.<kind>.title` and falls back to this */
  title: string
  /** one sentence for the palette and the side panel, translated likewise */
  help: string
  schema: z.ZodType<Data>
  /** what a block fresh from the palette holds; `id` makes ids for items */
  defaults: (id: () => string) => Data
  /** paths of the fields that are rich text: the document keeps them character by character */
  richTexts: readonly (keyof Data & string)[]
  migrations: readonly Migration[]
  ports: (data: Data) => Port<PortId>[]
  /** ids of the variables that a run may read */
  reads: (data: Data) => string[]
  /** ids of the variables that a run may set */
  writes: (data: Data) => string[]
  /** places that a run may jump to without an edge (go to) */
  jumps: (data: Data) => { groupId: string; blockId?: string }[]
  /** for triggers alone: does this event start the flow here? */
  startsOn: ((data: Data, event: StartEvent) => boolean) | null
  /** `false`: stays out of the palette (the placeholder of an unknown block) */
  inPalette: boolean
  /** a generator, deterministic: time, chance and the world outside are effects */
  run: (data: Data) => Step<PortId>
  /** how blocks of other products become this kind */
  importers: readonly BlockImporter[]
  /** for one kind alone: how it keeps a block of another product that no importer takes, and why none does */
  keeps: ((block: KeptBlock) => Data) | null
}

/** A block of another product that has no kind here. */
export interface KeptBlock {
  product: string
  type: string
  reason: string
  data: Json
}

export type StartEvent = { type: 'start' }

type Optional =
  | 'richTexts'
  | 'migrations'
  | 'reads'
  | 'writes'
  | 'jumps'
  | 'startsOn'
  | 'inPalette'
  | 'importers'
  | 'keeps'

/**
 * Declares a block kind. The optional parts get safe defaults: no rich text, no migrations, no variables, no jumps, not a
 * trigger, in the palette, no importers, keeps nothing. A port that `ports` does not declare does not compile in `run`.
 */
export function defineBlock<const Kind extends string, Data, const PortId extends string>(
  definition: Omit<BlockDefinition<Kind, Data, PortId>, Optional | 'run' | 'defaults'> & {
    defaults: (id: () => string) => NoInfer<Data>
    run: (data: NoInfer<Data>) => Step<NoInfer<PortId>>
  } & Partial<Pick<BlockDefinition<Kind, NoInfer<Data>, NoInfer<PortId>>, Optional>>,
): BlockDefinition<Kind, Data, PortId> {
  return {
    richTexts: [],
    migrations: [],
    reads: () => [],
    writes: () => [],
    jumps: () => [],
    startsOn: null,
    inPalette: true,
    importers: [],
    keeps: null,
    ...definition,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds definitions of every data type; each is parsed by its own schema
export type AnyBlock = BlockDefinition<string, any, any>
