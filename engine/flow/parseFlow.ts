import { z } from 'zod'
import { EngineError } from '../errors'
import { isReservedId } from '../values/systemVariables'
import { canonicalFlow } from './canonical'
import { migrateBlock } from './migrate'
import type { Registry } from './registry'
import {
  type ChatbotFlows,
  type Edge,
  FLOW_FORMAT,
  FLOW_FORMAT_VERSION,
  type Flow,
  flowCaps,
  flowSchema,
  otherFlowSchema,
} from './schema'

/**
 * Parses a flow from the text of a file or from its JSON value, into its canonical form with every block at the present
 * version of its kind. Blocks of unknown kinds and incomplete data are kept.
 * - A duplicate id is refused: an edge to it would be ambiguous.
 * - An edge without source or target is dropped, of two edges from one port the last is kept, an edge that names a
 *   block in another group leads to the block. `note` is called for each.
 *
 * Throws FLOW_INVALID (naming the place and the remedy), FLOW_TOO_DEEP, FLOW_TOO_NEW, MIGRATION_FAILED.
 */
export function parseFlow(source: unknown, registry: Registry, note: (message: string) => void = () => {}): Flow {
  const value = typeof source === 'string' ? readText(source) : source
  refuseDeep(value)
  refuseNewer(value)
  const parsed = flowSchema.safeParse(value)
  if (!parsed.success) throw new EngineError('FLOW_INVALID', describeIssue(parsed.error, value))
  const flow = parsed.data
  refuseCrowd(flow)
  refuseDuplicates(flow)
  const groups = flow.groups.map((group) => ({
    ...group,
    blocks: group.blocks.map((block) => {
      const definition = registry.find(block.kind)
      return definition ? migrateBlock(block, definition) : block
    }),
  }))
  return canonicalFlow({ ...flow, groups, edges: repairEdges(flow, note) })
}

/**
 * Parses a file that may hold a whole chatbot: its main flow and its other flows, each as parseFlow does. Two flows
 * with one id are refused. References to missing flows are not checked: entering one is reported at run time.
 * @throws as parseFlow does, naming the flow
 */
export function parseFlowFile(
  source: unknown,
  registry: Registry,
  note: (message: string) => void = () => {},
): ChatbotFlows {
  const value = typeof source === 'string' ? readText(source) : source
  refuseDeep(value)
  if (typeof value !== 'object' || value === null || !('flows' in value)) {
    return { main: parseFlow(value, registry, note), others: [] }
  }
  const { flows, ...main } = value
  const listed = z.array(z.looseObject(namedSchema.shape)).max(flowCaps.flows).safeParse(flows)
  if (!listed.success) throw new EngineError('FLOW_INVALID', describeIssue(listed.error, flows, ['flows']))
  refuseTwice(
    'flow',
    listed.data.map(({ id }) => id),
  )
  return {
    main: parseFlow(main, registry, note),
    others: listed.data.map(({ id, title, ...content }) => ({
      id,
      title,
      flow: within(title, () =>
        parseFlow({ ...content, format: FLOW_FORMAT, version: FLOW_FORMAT_VERSION }, registry, (message) =>
          note(`Flow '${title}': ${message}`),
        ),
      ),
    })),
  }
}

const namedSchema = otherFlowSchema.pick({ id: true, title: true })

/** Adds the flow's title to errors. */
function within<Result>(title: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError(error.code, `Flow '${title}': ${error.detail}`, { cause: error })
  }
}

function readText(text: string): unknown {
  if (text.length > flowCaps.bytes) {
    throw new EngineError('FLOW_INVALID', `It is larger than ${flowCaps.bytes / 1e6} MB; split it into several.`)
  }
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (cause) {
    throw new EngineError('FLOW_INVALID', 'It is not JSON: export the flow again.', { cause })
  }
}

/** Iterative, level by level, so that no nesting can overflow the stack. */
function refuseDeep(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > flowCaps.depth) {
      throw new EngineError('FLOW_TOO_DEEP', `At most ${flowCaps.depth} levels of lists and objects are taken.`)
    }
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item).filter(isNested) : [],
    )
  }
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

function refuseNewer(value: unknown): void {
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Flow>
  if (format === FLOW_FORMAT && typeof version === 'number' && version > FLOW_FORMAT_VERSION) {
    throw new EngineError(
      'FLOW_TOO_NEW',
      `It has format version ${version}; this one reads up to ${FLOW_FORMAT_VERSION}.`,
    )
  }
}

function refuseCrowd(flow: Flow): void {
  const blocks = flow.groups.reduce((sum, group) => sum + group.blocks.length, 0)
  if (blocks > flowCaps.blocks) {
    throw new EngineError(
      'FLOW_INVALID',
      `It has ${blocks} blocks; at most ${flowCaps.blocks} are taken. Split the flow.`,
    )
  }
}

function refuseDuplicates(flow: Flow): void {
  const ids: Record<string, string[]> = {
    group: flow.groups.map(({ id }) => id),
    block: flow.groups.flatMap(({ blocks }) => blocks.map(({ id }) => id)),
    variable: flow.variables.map(({ id }) => id),
  }
  for (const [what, all] of Object.entries(ids)) refuseTwice(what, all)
  const reserved = ids.variable?.find(isReservedId)
  if (reserved)
    throw new EngineError('FLOW_INVALID', `The variable id '${reserved}' is the system's: give it a new one.`)
}

function refuseTwice(what: string, ids: string[]): void {
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) throw new EngineError('FLOW_INVALID', `Two ${what}s have the id '${id}': give one a new id.`)
    seen.add(id)
  }
}

function repairEdges(flow: Flow, note: (message: string) => void): Edge[] {
  const groupIds = new Set(flow.groups.map(({ id }) => id))
  const groupOf = new Map(flow.groups.flatMap((group) => group.blocks.map(({ id }) => [id, group.id] as const)))
  const edges = new Map<string, Edge>()
  for (const { from, to } of flow.edges) {
    const name = `The edge from port '${from.portId}' of block '${from.blockId}'`
    const key = `${from.blockId}/${from.portId}`
    const home = to.blockId === undefined ? to.groupId : groupOf.get(to.blockId)
    if (!groupOf.has(from.blockId)) note(`${name} was dropped: there is no such block.`)
    else if (home === undefined || !groupIds.has(home)) note(`${name} was dropped: what it leads to is not there.`)
    else {
      if (edges.has(key)) note(`${name} is there twice; the last was kept.`)
      if (home !== to.groupId) note(`${name} named the wrong group; it leads to the block.`)
      edges.set(key, { from, to: { ...to, groupId: home } })
    }
  }
  return [...edges.values()]
}

/** Describes the first problem: its place in words, and what would be valid. */
function describeIssue(error: z.ZodError, value: unknown, above: string[] = []): string {
  const issue = deepest(error.issues[0])
  if (!issue) return 'Its shape is not that of a flow.'
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${[...above, describePlace(issue.path, value)].join(' > ')}: ${issue.message}${more}.`
}

/** Of a union, the alternative that got furthest is the most informative. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1)).sort((a, b) => b.path.length - a.path.length)[0]
  return inner && inner.path.length > 0 ? { ...inner, path: [...issue.path, ...inner.path] } : issue
}

function describePlace(path: PropertyKey[], value: unknown): string {
  if (path.length === 0) return 'The file'
  const words: string[] = []
  let here: unknown = value
  for (const [index, key] of path.entries()) {
    here = typeof here === 'object' && here !== null ? (here as Record<PropertyKey, unknown>)[key] : undefined
    const { id } = (typeof here === 'object' && here !== null ? here : {}) as { id?: unknown }
    const list = path[index - 1]
    if (typeof key !== 'number') words.push(String(key))
    else words.push(`${words.pop() ?? String(list)}[${key}]${typeof id === 'string' ? ` '${id.slice(0, 64)}'` : ''}`)
  }
  return words.join(' > ')
}
