import type { BlockView } from '../document/commands'
import { EngineError } from '../errors'
import type { ChannelCapabilities } from '../flow/capabilities'
import type { AnyBlock, FlowCall, Intent, Jump, Port } from '../flow/defineBlock'
import { migrateBlock } from '../flow/migrate'
import type { Registry } from '../flow/registry'
import { problemsOf as listProblems } from '../values/issues'
import { type ChannelProblem, channelProblemsOf } from './channelProblems'

/** What the checker asks a kind about one block. A block that can't run has only the exit by which it is skipped. */
export interface BlockFacts {
  readonly definition: AnyBlock | null
  /** migrated to the present version, if valid */
  readonly data: unknown
  readonly runs: boolean
  readonly ports: readonly Port[]
  /** by port index: variables that are certainly set after this port */
  readonly assures: readonly (readonly string[])[]
  readonly reads: readonly string[]
  readonly needs: readonly string[]
  /** names of the secrets it sends */
  readonly secrets: readonly string[]
  readonly writes: readonly string[]
  readonly jumps: readonly Jump[]
  /** whether it returns to the block that entered the present part */
  readonly returns: boolean
  readonly calls: readonly FlowCall[]
  readonly waits: boolean
  /** intent triggers that it listens for by name, and whether global intents may interrupt it */
  readonly intents: readonly string[]
  readonly interruptible: boolean
  readonly intent: Intent | null
  /** whether it starts conversations, and whether it accepts every one */
  readonly begins: 'never' | 'sometimes' | 'always'
  readonly rank: number
  readonly problems: readonly FactProblem[]
  /** equal for two blocks that make no difference to other blocks */
  readonly shape: string
}

export interface FactProblem {
  readonly code:
    | 'unknown-kind'
    | 'placeholder-left'
    | 'missing-field'
    | 'invalid-value'
    | 'plain-secret'
    | ChannelProblem['code']
  readonly path?: string
  readonly values: Readonly<Record<string, string | number>>
  /** the data with the invalid field reset to its default */
  readonly mended?: BlockView['data']
}

const PASSED_OVER: readonly Port[] = [{ id: 'next' }]
const unable = (definition: AnyBlock | null, problems: readonly FactProblem[]): Omit<BlockFacts, 'shape'> => ({
  definition,
  data: null,
  runs: false,
  ports: PASSED_OVER,
  assures: [[]],
  reads: [],
  needs: [],
  secrets: [],
  writes: [],
  jumps: [],
  returns: false,
  calls: [],
  waits: false,
  intents: [],
  interruptible: false,
  intent: null,
  begins: 'never',
  rank: 0,
  problems,
})

/** Examines a block on its own. Never throws, even if its kind does. */
export function factsOf(block: BlockView, registry: Registry, channels: readonly ChannelCapabilities[]): BlockFacts {
  const facts = lookAt(block, registry, channels)
  const { definition, data, problems, intent, ...graph } = facts
  const ports = facts.ports.map(({ label, ...port }) => ({ ...port, named: label !== undefined }))
  // what they compare and set decides which paths are feasible
  const values = definition?.admits || definition?.sets ? data : null
  return { ...facts, shape: JSON.stringify([{ ...graph, ports }, intent?.global, values]) }
}

function lookAt(
  block: BlockView,
  registry: Registry,
  channels: readonly ChannelCapabilities[],
): Omit<BlockFacts, 'shape'> {
  const definition = registry.find(block.kind)
  if (!definition) return unable(null, [{ code: 'unknown-kind', values: { kind: block.kind } }])
  try {
    const { data } = migrateBlock(block as Parameters<typeof migrateBlock>[0], definition)
    const parsed = definition.schema.safeParse(data)
    if (!parsed.success) {
      return unable(
        definition,
        listProblems(parsed.error.issues).map((issue) => {
          const path = issue.path.join('.')
          const mended = mend(definition, data, issue.path[0])
          return { code: 'invalid-value' as const, path, values: { message: issue.message }, ...(mended && { mended }) }
        }),
      )
    }
    return { ...ask(definition, parsed.data, block.id), problems: problemsOf(definition, parsed.data, channels) }
  } catch (error) {
    const message = error instanceof EngineError ? error.message : 'Its kind can’t digest its data'
    return unable(definition, [{ code: 'invalid-value', path: '', values: { message } }])
  }
}

function ask(definition: AnyBlock, data: unknown, blockId: string): Omit<BlockFacts, 'shape' | 'problems'> {
  const ports: Port[] = definition.ports(data)
  const { intents, interruptible } = listens(data)
  const calls = definition.calls(data)
  return {
    definition,
    data,
    runs: true,
    ports,
    assures: ports.map(({ id }) => definition.assures(data, id)),
    reads: definition.reads(data),
    needs: definition.needs(data),
    secrets: definition.secrets(data),
    writes: definition.writes(data),
    jumps: definition.jumps(data),
    returns: definition.returns(data),
    calls,
    // whether the other flow waits is not examined
    waits: definition.waits(data) || definition.enters(data).length > 0,
    intents,
    interruptible,
    intent: definition.intent?.(data) ?? null,
    begins: beginning(definition, data, blockId),
    rank: definition.rank,
  }
}

/** A trigger that fits an empty context accepts every conversation. */
function beginning({ startsOn }: AnyBlock, data: unknown, blockId: string): BlockFacts['begins'] {
  if (!startsOn) return 'never'
  return startsOn(data, { type: 'start', begun: [blockId] }, blockId) ? 'always' : 'sometimes'
}

/** Every input kind has these fields (engine/flow/inputFields.ts). */
function listens(data: unknown): { intents: readonly string[]; interruptible: boolean } {
  const { intents, interruptible } = data as { intents?: unknown; interruptible?: unknown }
  return {
    intents: Array.isArray(intents) ? intents.filter((id) => typeof id === 'string') : [],
    interruptible: interruptible !== false,
  }
}

function problemsOf(definition: AnyBlock, data: unknown, channels: readonly ChannelCapabilities[]): FactProblem[] {
  const missing = definition.problems(data).map(({ path, message }): FactProblem => {
    return { code: 'missing-field', path, values: { message } }
  })
  if (definition.keeps) missing.push({ code: 'placeholder-left', values: {} })
  for (const { path, name } of definition.plainSecrets(data))
    missing.push({ code: 'plain-secret', path, values: { name } })
  return [...missing, ...channelProblemsOf(definition, data, channels)]
}

/** The data with one field reset to the kind's default, if that makes it valid and the field is not rich text. */
function mend(definition: AnyBlock, data: BlockView['data'], field: PropertyKey | undefined) {
  if (typeof field !== 'string' || definition.richTexts.includes(field)) return undefined
  let n = 0
  const { [field]: surplus, ...others } = data
  const defaults = definition.defaults(() => `d${++n}`) as BlockView['data']
  const mended = Object.hasOwn(defaults, field)
    ? { ...data, [field]: defaults[field] as BlockView['data'][string] }
    : others
  return definition.schema.safeParse(mended).success ? mended : undefined
}
