import type { StartEvent } from '../flow/conversation'
import type { AnyBlock, Intent, Port } from '../flow/defineBlock'
import { migrateBlock } from '../flow/migrate'
import type { Registry } from '../flow/registry'
import type { Block, Edge, EdgeTarget, Flow } from '../flow/schema'
import type { Classifier } from '../intents/classifier'
import { MAIN_ONLY, spokenData, spokenLanguages } from '../translations/speak'
import type { Languages, Translations } from '../translations/translation'
import { firstProblem } from '../values/issues'
import type { Json } from '../values/json'
import { TRANSCRIPT } from '../values/systemVariables'
import { createOpenedBy, type LinkText } from './linkTexts'

/** A flow compiled for running: data parsed, edges resolved. */
export interface FlowProgram {
  /** null for the chatbot's main flow */
  readonly id: string | null
  readonly blocks: ReadonlyMap<string, ProgramBlock>
  /** whether any block reads the transcript */
  readonly readsTranscript: boolean
  /** what begins it depends on the page that the visitor has open */
  readonly watchesPages: boolean
  /** initial values of the variables */
  readonly variables: Readonly<Record<string, Json>>
  /** the intent triggers by block id */
  readonly intents: ReadonlyMap<string, Intent>
  /**
   * the trigger that the event starts: of several, the one whose kind has the higher rank, then the leftmost on the
   * canvas, then the topmost
   */
  entry(event: StartEvent): ProgramBlock | null
  /** the triggers that links open, in the order of `entry` */
  readonly linkTexts: readonly LinkText[]
  /** the id of the trigger whose link writes the text that a message begins with; null: none */
  openedBy(message: string): string | null
  /** null if the target is gone; `first` is null if the group is empty */
  resolve(target: EdgeTarget): { readonly first: ProgramBlock | null } | null
}

/** A chatbot's compiled flows; itself the main one. Has no conversation state: cache one per version. */
export interface Program extends FlowProgram {
  readonly id: null
  /** the main flow for null; returns null if there is no such flow */
  flow(flowId: string | null): FlowProgram | null
  /** null: there are no intents */
  readonly classify: Classifier | null
  /** whether the runtime is asked too (`intents`) what a typed text means; its answer overrules the classifier */
  readonly asksMeaning: boolean
  /** whether any flow reads the transcript */
  readonly keepsTranscript: boolean
  /**
   * the languages to use for a visitor with this language, the best first; texts without any of them are in the main
   * language
   */
  spoken(visitorLanguage: Json | undefined): readonly string[]
}

export interface ProgramBlock {
  readonly id: string
  readonly groupId: string
  readonly kind: string
  /** null if the block can't run: its kind is unknown or its data is invalid; `problem` says why */
  readonly runnable: {
    readonly definition: AnyBlock
    readonly data: unknown
    readonly ports: ReadonlyMap<string, Port>
    readonly intent: Intent | null
    readonly readsTranscript: boolean
    /** the data with each text in the first of these languages that it has; null: the block has no translations */
    readonly dataIn: ((languages: readonly string[]) => unknown) | null
  } | null
  readonly problem: string | null
  readonly edges: ReadonlyMap<string, EdgeTarget>
  /** the block below it in its group */
  readonly below: ProgramBlock | null
}

/**
 * Compiles any flow with a valid structure; blocks that can't run are skipped at run time. Never throws.
 * @param others.flows the chatbot's other flows, by the ids that blocks enter them by
 * @param others.classify trained on the intent triggers of all flows
 * @param others.asksMeaning see `Program.asksMeaning`
 */
export function createProgram(flow: Flow, registry: Registry, others: Others = {}): Program {
  return assemble(drain(prepareFlow(flow, registry, null)), flow.languages, new Map(), registry, others)
}

/** The same for all flows, one block per step, so that a server can do other work in between. */
export function* createProgramInSteps(flow: Flow, registry: Registry, others: Others = {}): Generator<void, Program> {
  const main = yield* prepareFlow(flow, registry, null)
  const prepared = new Map<string, FlowProgram>()
  for (const [id, other] of Object.entries(others.flows ?? {}))
    prepared.set(id, yield* prepareFlow(other, registry, id))
  return assemble(main, flow.languages, prepared, registry, others)
}

interface Others {
  flows?: Readonly<Record<string, Flow>>
  classify?: Classifier | null
  asksMeaning?: boolean
}

/** @param prepared flows that are already compiled; others are compiled when they are entered */
function assemble(
  main: FlowProgram,
  languages: Languages | undefined,
  prepared: Map<string, FlowProgram>,
  registry: Registry,
  { flows = {}, classify = null, asksMeaning = false }: Others,
): Program {
  return {
    ...main,
    id: null,
    classify,
    asksMeaning,
    spoken: createSpoken(languages),
    keepsTranscript:
      [main, ...prepared.values()].some(({ readsTranscript }) => readsTranscript) ||
      Object.entries(flows).some(([id, flow]) => !prepared.has(id) && namesTranscript(flow)),
    flow(flowId) {
      if (flowId === null) return main
      const other = prepared.get(flowId) ?? (Object.hasOwn(flows, flowId) ? flows[flowId] : undefined)
      if (!other) return null
      const program = 'format' in other ? drain(prepareFlow(other, registry, flowId)) : other
      prepared.set(flowId, program)
      return program
    },
  }
}

/** Remembers what it found, for a few: visitors send what they like as their language. */
function createSpoken(languages: Languages | undefined): Program['spoken'] {
  if (!languages || languages.others.length === 0) return () => MAIN_ONLY
  const known = new Map<string, readonly string[]>()
  return (visitor) => {
    if (typeof visitor !== 'string') return MAIN_ONLY
    const found = known.get(visitor) ?? spokenLanguages(visitor, languages)
    if (known.size < MAX_REMEMBERED) known.set(visitor, found)
    return found
  }
}
const MAX_REMEMBERED = 100

/** For a flow that is compiled later: whether any of its blocks may read the transcript. */
const namesTranscript = ({ groups }: Flow): boolean =>
  groups.some(({ blocks }) => blocks.some(({ data }) => JSON.stringify(data).includes(TRANSCRIPT)))

function drain<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function* prepareFlow(flow: Flow, registry: Registry, id: string | null): Generator<void, FlowProgram> {
  const edges = new Map<string, Map<string, EdgeTarget>>()
  for (const { from, to } of flow.edges) edgesOf(edges, from).set(from.portId, to)
  const groups = new Map<string, ProgramBlock | null>()
  const blocks = new Map<string, ProgramBlock>()
  const triggers: { block: ProgramBlock; rank: number; x: number; y: number }[] = []
  const intents = new Map<string, Intent>()
  let readsTranscript = false
  for (const group of flow.groups) {
    // from last to first, so that each block knows the one below it
    let first: ProgramBlock | null = null
    for (const stored of group.blocks.toReversed()) {
      const exits = edges.get(stored.id) ?? new Map<string, EdgeTarget>()
      const below: ProgramBlock | null = first
      const { id, kind } = stored
      first = { id, groupId: group.id, kind, edges: exits, below, ...prepare(stored, registry) }
      blocks.set(id, first)
      readsTranscript ||= first.runnable?.readsTranscript === true
      yield
    }
    groups.set(group.id, first)
    for (let block = first; block; block = block.below) {
      const { definition, intent } = block.runnable ?? {}
      if (definition?.startsOn) triggers.push({ block, rank: definition.rank, ...group.position })
      if (intent) intents.set(block.id, intent)
    }
  }
  triggers.sort((a, b) => b.rank - a.rank || a.x - b.x || a.y - b.y)
  const linkTexts = triggers.flatMap(({ block: { id, runnable } }) => {
    const text = runnable?.definition.linkText?.(runnable.data).trim() ?? ''
    return text === '' ? [] : [{ blockId: id, text }]
  })
  return {
    id,
    blocks,
    intents,
    readsTranscript,
    watchesPages: triggers.some(({ block }) => block.runnable?.definition.wants === 'page'),
    linkTexts,
    openedBy: createOpenedBy(linkTexts),
    variables: Object.fromEntries(flow.variables.map(({ id, value }) => [id, value])),
    entry: (event) =>
      triggers.find(({ block: { id, runnable } }) =>
        event.signal
          ? id === event.signal.trigger && runnable?.definition.signals
          : runnable?.definition.startsOn?.(runnable.data, event, id),
      )?.block ?? null,
    resolve({ groupId, blockId }) {
      const block = blockId === undefined ? undefined : blocks.get(blockId)
      if (block) return { first: block }
      const first = groups.get(groupId)
      return blockId !== undefined || first === undefined ? null : { first }
    },
  }
}

function edgesOf(edges: Map<string, Map<string, EdgeTarget>>, { blockId }: Edge['from']): Map<string, EdgeTarget> {
  const present = edges.get(blockId) ?? new Map<string, EdgeTarget>()
  edges.set(blockId, present)
  return present
}

function prepare(block: Block, registry: Registry): Pick<ProgramBlock, 'runnable' | 'problem'> {
  const definition = registry.find(block.kind)
  if (!definition) return { runnable: null, problem: `The kind '${block.kind}' is not known; the block was skipped.` }
  try {
    const parsed = definition.schema.safeParse(migrateBlock(block, definition).data)
    if (!parsed.success) {
      const problem = `Its data is not valid (${firstProblem(parsed.error.issues)}); the block was skipped.`
      return { runnable: null, problem }
    }
    const ports = new Map(definition.ports(parsed.data).map((port) => [port.id, port]))
    const intent = definition.intent?.(parsed.data) ?? null
    const readsTranscript = definition.reads(parsed.data).includes(TRANSCRIPT)
    const dataIn = block.translations ? createDataIn(definition, parsed.data, block.translations) : null
    return { runnable: { definition, data: parsed.data, ports, intent, readsTranscript, dataIn }, problem: null }
  } catch (error) {
    return { runnable: null, problem: `${messageOf(error)} The block was skipped.` }
  }
}

/** Made once a list of languages, of which a chatbot has a few. */
function createDataIn(definition: AnyBlock, data: unknown, translations: Translations) {
  const made = new Map<string, unknown>()
  return (languages: readonly string[]): unknown => {
    if (languages.length === 0) return data
    const key = languages.join()
    if (!made.has(key)) made.set(key, spokenData(definition, data, translations, languages) ?? data)
    return made.get(key)
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
