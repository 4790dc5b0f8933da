import type { z } from 'zod'
import type { BlockImporter } from '../interop/importer'
import type { Json } from '../values/json'
import type { ChannelFeature } from './capabilities'
import type { StartEvent } from './conversation'
import type { Step } from './effects'

export type BlockCategory = 'trigger' | 'bubble' | 'input' | 'ai' | 'logic' | 'other'

/** A declared way out of a block. A port without a label is the plain "next". */
export interface Port<PortId extends string = string> {
  id: PortId
  label?: string
  /** the row of the face this port belongs to, e.g. an option's id; the face puts the handle there */
  row?: string
  /** the port whose edge is taken when this one has none, e.g. an option that is not connected leaves by `default` */
  fallback?: PortId
  /** left by for want of another alone: no way is missing where it leads nowhere */
  spare?: true
}

/** A place that a run goes to without an edge; `back` is the port that it leaves by once nothing follows there. */
export interface Jump<PortId extends string = string> {
  groupId: string
  blockId?: string
  back?: PortId
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
  /** names of the project's secrets that a run may send, from the fields that can hold one */
  secrets: (data: Data) => string[]
  /**
   * the data with what looks like a secret in plain text put into the project's secrets, and a chip in its place
   * @param save keeps a value under a name like the one that is wished for, and gives its name
   */
  sealPlain: (data: Data, save: SaveSecret) => Data
  /** the fields that a run sends and that are nothing but such plain text: the checker warns of them */
  plainSecrets: (data: Data) => PlainSecret[]
  /** ids of the variables that a run may set */
  writes: (data: Data) => string[]
  /** of what it reads: what it is of no use without. Comparing a variable, or counting one up, needs no value */
  needs: (data: Data) => string[]
  /** of what it may set, and of what it compared: what surely has a value once a run left by this port */
  assures: (data: Data, portId: PortId) => string[]
  /**
   * for kinds that compare: whether a run can leave by this port when these variables have these values, and all others any
   * (the checker tells of no way that nobody can take); null: by every port
   */
  admits: ((data: Data, portId: PortId, known: ReadonlyMap<string, Json>) => boolean) | null
  /** of what it may set: the values that are sure when these variables have these values; null: none */
  sets: ((data: Data, known: ReadonlyMap<string, Json>) => ReadonlyMap<string, Json>) | null
  /** a run may end the turn here: it asks, or lets time pass */
  waits: (data: Data) => boolean
  /** what is missing so that it can't do anything yet, or not all that it says; the schema tells what is wrong, not this */
  problems: (data: Data) => FieldProblem[]
  /** places that a run may jump to without an edge (go to) */
  jumps: (data: Data) => Jump<PortId>[]
  /** a run goes back to where the present part was gone to from */
  returns: (data: Data) => boolean
  /** for triggers alone: does this event start the flow here? */
  startsOn: ((data: Data, event: StartEvent, blockId: string) => boolean) | null
  /** which of several triggers that fit begins: the higher rank, then the leftmost, then the topmost */
  rank: number
  /** for triggers alone: whether the chat opens with what begins here, or shows the first message beside the closed chat */
  shows: (data: Data) => 'open' | 'teaser'
  /** for triggers of what visitors type alone: the phrases that they stand for */
  intent: ((data: Data) => Intent) | null
  /** ids of other flows that a run may enter */
  enters: (data: Data) => string[]
  /** how it enters them */
  calls: (data: Data) => FlowCall[]
  /** the data with each of those ids in its new form: a chatbot was copied, and its flows have other ids there */
  remapFlows: (data: Data, newId: (flowId: string) => string) => Data
  /** `true`: of little use without a mail server; warned about where there is none */
  sendsMail: boolean
  /** what a channel must have for it to be of use; warned about where it has not. Null: nothing in particular */
  wants: ChannelFeature | null
  /** `false`: stays out of the palette (the placeholder of an unknown block) */
  inPalette: boolean
  /** a generator, deterministic: time, chance and the world outside are effects */
  run: (data: Data) => Step<PortId>
  /** how blocks of other products become this kind */
  importers: readonly BlockImporter[]
  /** for one kind alone: how it keeps a block of another product that no importer takes, and why none does */
  keeps: ((block: KeptBlock) => Data) | null
}

/** Keeps a value that stood open as a secret, and gives the name that it is kept under. */
export type SaveSecret = (value: string, wantedName: string) => string

/** A field that holds a secret in plain text, and nothing else but its scheme. */
export interface PlainSecret {
  /** of the dynamic value: `headers.0.value` */
  path: string
  /** what it goes by, such as the header's name */
  name: string
  /** what stands before the secret and stays there: `Bearer ` */
  scheme: string
  secret: string
  /** what it may be saved as, unless that is taken */
  wantedName: string
}

/** A block of another product that has no kind here. */
export interface KeptBlock {
  product: string
  type: string
  reason: string
  data: Json
}

/** A field that is not finished: where it is (`options.0.label`), and what to do, in a sentence without its full stop. */
export interface FieldProblem {
  path: string
  message: string
}

/** What a block has to do with another flow that it enters. */
export interface FlowCall {
  flowId: string
  /** null: where that flow starts */
  groupId: string | null
  /** ids of that flow's variables that are given a value, and of those that are kept */
  gives: string[]
  takes: string[]
}

/** What visitors may type to begin here. */
export interface Intent {
  name: string
  /** at most 50 (SPEC.md 9) */
  phrases: readonly string[]
  /** looked for at every question; else only where an input names this block */
  global: boolean
  /** asks again, at its end, what was asked when it cut in */
  resumes: boolean
}

type Optional =
  | 'richTexts'
  | 'migrations'
  | 'reads'
  | 'secrets'
  | 'sealPlain'
  | 'plainSecrets'
  | 'writes'
  | 'needs'
  | 'assures'
  | 'admits'
  | 'sets'
  | 'waits'
  | 'problems'
  | 'jumps'
  | 'returns'
  | 'startsOn'
  | 'rank'
  | 'shows'
  | 'intent'
  | 'enters'
  | 'calls'
  | 'remapFlows'
  | 'sendsMail'
  | 'wants'
  | 'inPalette'
  | 'importers'
  | 'keeps'

/**
 * Declares a block kind. The optional parts get safe defaults: no rich text, no migrations, no variables, no jumps, not a
 * trigger, in the palette, no importers, keeps nothing; it needs what it reads, and has set what it writes unless
 * nobody answered. A port that `ports` does not declare does not compile in `run`.
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
    secrets: () => [],
    sealPlain: (data) => data,
    plainSecrets: () => [],
    writes: () => [],
    needs: definition.reads ?? (() => []),
    assures: (data, portId) => (UNANSWERED.has(portId) ? [] : (definition.writes?.(data) ?? [])),
    admits: null,
    sets: null,
    waits: () => definition.category === 'input',
    problems: () => [],
    jumps: () => [],
    returns: () => false,
    startsOn: null,
    rank: 0,
    shows: () => 'open',
    intent: null,
    enters: () => [],
    calls: () => [],
    remapFlows: (data) => data,
    sendsMail: false,
    wants: null,
    inPalette: true,
    importers: [],
    keeps: null,
    ...definition,
  }
}

/** The ways out that all kinds name alike and that leave variables as they were. */
const UNANSWERED: ReadonlySet<string> = new Set(['skip', 'invalid', 'no-reply', 'failure', 'duplicate', 'not-found'])

// biome-ignore lint/suspicious/noExplicitAny: a registry holds definitions of every data type; each is parsed by its own schema
export type AnyBlock = BlockDefinition<string, any, any>
