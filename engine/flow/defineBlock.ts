import type { z } from 'zod'
import type { BlockImporter } from '../interop/importer'
import type { Json } from '../values/json'
import type { ChannelFeature } from './capabilities'
import type { StartEvent } from './conversation'
import type { Step } from './effects'
import type { VisitorPart } from './visitorParts'

export type BlockCategory = 'trigger' | 'bubble' | 'input' | 'ai' | 'logic' | 'other'

/** A declared way out of a block. A port without a label is the plain "next". */
export interface Port<PortId extends string = string> {
  id: PortId
  label?: string
  /** the row of the face that this port belongs to, such as an option's id; its handle is drawn there */
  row?: string
  /** the port whose edge is taken if this one has none: an option that is not connected leaves by `default` */
  fallback?: PortId
  /** used only as another port's fallback: no warning if it leads nowhere */
  spare?: true
}

/** A place that a run goes to without an edge; `back` is the port it leaves by after returning from there. */
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
  /** in English; the interface translates `blocks.<kind>.title` and falls back to this */
  title: string
  /** one sentence for the palette and the side panel, translated likewise */
  help: string
  schema: z.ZodType<Data>
  /** the data of a new block; `id` creates ids for items */
  defaults: (id: () => string) => Data
  /** fields that are rich text: the document stores them character by character */
  richTexts: readonly (keyof Data & string)[]
  /**
   * paths of the texts that visitors read, in reading order, which can be translated; `*` stands for each item of a
   * list (`options.*.label`)
   */
  visitorTexts: readonly string[]
  migrations: readonly Migration[]
  ports: (data: Data) => Port<PortId>[]
  /** ids of the variables that a run may read */
  reads: (data: Data) => string[]
  /** names of the project's secrets that a run may send, from the fields that can hold one */
  secrets: (data: Data) => string[]
  /** ids of the project's connections that a run may use */
  connections: (data: Data) => string[]
  /**
   * replaces what looks like a secret in plain text by a chip of a project secret
   * @param save stores a value under the wished-for name or a similar one, and returns the name
   */
  sealPlain: (data: Data, save: SaveSecret) => Data
  /** the fields that would be sent and consist of such plain text only: the checker warns about them */
  plainSecrets: (data: Data) => PlainSecret[]
  /** ids of the variables that a run may set */
  writes: (data: Data) => string[]
  /** which of the variables it reads are needed. Comparing a variable, or incrementing it, needs no value */
  needs: (data: Data) => string[]
  /** which of the variables that it sets or compares certainly have a value after leaving by this port */
  assures: (data: Data, portId: PortId) => string[]
  /**
   * for kinds that compare: whether a run can leave by this port when these variables have these values and all others
   * any (so that the checker reports no infeasible path); null: by every port
   */
  admits: ((data: Data, portId: PortId, known: ReadonlyMap<string, Json>) => boolean) | null
  /**
   * which of the variables that it sets certainly have which value, when these variables have these values; null: none
   */
  sets: ((data: Data, known: ReadonlyMap<string, Json>) => ReadonlyMap<string, Json>) | null
  /** whether a run may end the turn: it asks, or waits */
  waits: (data: Data) => boolean
  /**
   * what is incomplete, so that the block can't work, or not as described; invalid data is found by the schema instead
   */
  problems: (data: Data) => FieldProblem[]
  /** places that a run may jump to without an edge (go to) */
  jumps: (data: Data) => Jump<PortId>[]
  /** whether a run may return to the block that entered the present part */
  returns: (data: Data) => boolean
  /** only for triggers: whether this event starts the flow here */
  startsOn: ((data: Data, event: StartEvent, blockId: string) => boolean) | null
  /** only for triggers that other programs call: what such a call means; null: nobody calls it */
  signals: ((data: Data) => SignalRules) | null
  /** only for triggers that links open: the text that a link writes for the visitor; blank: no link leads here */
  linkText: ((data: Data) => string) | null
  /** which of several matching triggers starts: the higher rank, then the leftmost, then the topmost */
  rank: number
  /** only for triggers: whether the chat opens with this start, or shows its first message beside the closed chat */
  shows: (data: Data) => 'open' | 'teaser'
  /** only for intent triggers: the phrases that they match */
  intent: ((data: Data) => Intent) | null
  /** ids of other flows that a run may enter */
  enters: (data: Data) => string[]
  /** how it calls them */
  calls: (data: Data) => FlowCall[]
  /** the data with those ids replaced: the flows of a copied chatbot have new ids */
  remapFlows: (data: Data, newId: (flowId: string) => string) => Data
  /** `true`: of little use without a mail server; the checker warns if there is none */
  sendsMail: boolean
  /** a channel feature that it needs to look as described; the checker warns if it is missing. Null: none */
  wants: ChannelFeature | null
  /** what visitors get of it on a channel without that feature: cards one below another, a link, field after field */
  instead: 'nothing' | 'cards' | 'link' | 'fields'
  /** what channels limit of it: texts, captions, the options of a question */
  visitorParts: (data: Data) => VisitorPart[]
  /** `false`: not in the palette (the placeholder of an unknown block) */
  inPalette: boolean
  /** a deterministic generator: time, randomness and the outside world are effects */
  run: (data: Data) => Step<PortId>
  /** converts blocks of other products into this kind */
  importers: readonly BlockImporter[]
  /** only for the placeholder kind: keeps a block of another product that no importer accepts, with the reason */
  keeps: ((block: KeptBlock) => Data) | null
}

/** Saves a plain-text value as a secret, and returns the secret's name. */
export type SaveSecret = (value: string, wantedName: string) => string

/** A field that holds nothing but a secret in plain text, possibly after a scheme. */
export interface PlainSecret {
  /** path of the dynamic value: `headers.0.value` */
  path: string
  /** a name for people, such as the header's name */
  name: string
  /** the text before the secret, which stays: `Bearer ` */
  scheme: string
  secret: string
  /** a suggested name for the secret */
  wantedName: string
}

/** A block of another product that has no counterpart here. */
export interface KeptBlock {
  product: string
  type: string
  reason: string
  data: Json
}

/** An incomplete field: its path (`options.0.label`), and what to do, in a sentence without a full stop. */
export interface FieldProblem {
  path: string
  message: string
}

/** How a block calls another flow. */
export interface FlowCall {
  flowId: string
  /** null: at the flow's start */
  groupId: string | null
  /** ids of the called flow's variables that are given a value, and of those whose values are kept */
  gives: string[]
  takes: string[]
}

/** What visitors may type to begin here. */
export interface SignalRules {
  /** whether the question that a call interrupts is asked again afterwards */
  resumes: boolean
  /** whether the caller waits for what the flow says */
  answers: boolean
  /** JSONPaths into what was sent, or empty: a conversation's id, and a key of the calls that go on with one */
  conversationPath: string
  keyPath: string
  /** values by variable id, and the paths of what has to be there and is not */
  read: (body: Json) => { values: Record<string, Json>; missing: string[] }
}

export interface Intent {
  name: string
  /** at most 50 (SPEC.md 9) */
  phrases: readonly string[]
  /** listened for at every question; otherwise only where an input names this block */
  global: boolean
  /** whether the interrupted question is asked again at its end */
  resumes: boolean
}

type Optional =
  | 'richTexts'
  | 'visitorTexts'
  | 'migrations'
  | 'reads'
  | 'secrets'
  | 'connections'
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
  | 'signals'
  | 'linkText'
  | 'rank'
  | 'shows'
  | 'intent'
  | 'enters'
  | 'calls'
  | 'remapFlows'
  | 'sendsMail'
  | 'wants'
  | 'instead'
  | 'visitorParts'
  | 'inPalette'
  | 'importers'
  | 'keeps'

/**
 * Declares a block kind. Optional parts have safe defaults: no rich text, no visitor texts, no migrations, no
 * variables, no jumps, not a trigger, in the palette, no importers, keeps nothing; it needs what it reads, and has set
 * what it writes unless nobody answered. If `run` returns a port that `ports` does not declare, it does not compile.
 */
export function defineBlock<const Kind extends string, Data, const PortId extends string>(
  definition: Omit<BlockDefinition<Kind, Data, PortId>, Optional | 'run' | 'defaults'> & {
    defaults: (id: () => string) => NoInfer<Data>
    run: (data: NoInfer<Data>) => Step<NoInfer<PortId>>
  } & Partial<Pick<BlockDefinition<Kind, NoInfer<Data>, NoInfer<PortId>>, Optional>>,
): BlockDefinition<Kind, Data, PortId> {
  return {
    richTexts: [],
    visitorTexts: [],
    migrations: [],
    reads: () => [],
    secrets: () => [],
    connections: () => [],
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
    signals: null,
    linkText: null,
    rank: 0,
    shows: () => 'open',
    intent: null,
    enters: () => [],
    calls: () => [],
    remapFlows: (data) => data,
    sendsMail: false,
    wants: null,
    instead: 'nothing',
    visitorParts: () => [],
    inPalette: true,
    importers: [],
    keeps: null,
    ...definition,
  }
}

/** Ports that all kinds name alike, by which a block leaves without having set its variables. */
const UNANSWERED: ReadonlySet<string> = new Set(['skip', 'invalid', 'no-reply', 'failure', 'duplicate', 'not-found'])

// biome-ignore lint/suspicious/noExplicitAny: definitions of all data types; each parses its own
export type AnyBlock = BlockDefinition<string, any, any>
