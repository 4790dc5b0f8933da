import { EngineError } from '../../errors'
import type { AnyBlock } from '../../flow/defineBlock'
import type { IdSource } from '../../flow/ids'
import type { Registry } from '../../flow/registry'
import { type Block, emptyFlow, type Flow, flowCaps, type Group } from '../../flow/schema'
import type { BlockImporter, ImportReport, MappedBlock } from '../importer'
import { createReport, type ReportWriter } from '../report'
import { createBlockContext, createPlaces, type Places } from './context'
import { connect, type Exits } from './edges'
import { clip, type Fields } from './fields'
import { readTypebot, type TypebotBlock, type TypebotFile, type TypebotGroup, toJson } from './readTypebot'
import { withRoom } from './startRoom'
import { type ImportedVariables, importVariables } from './variables'

const KNOWN_VERSIONS = /^(|3|4|5|6|6\.1)$/

/**
 * A Typebot file as a flow of ours, with ids made anew. What no kind maps becomes a placeholder that keeps the block's data;
 * what the file has wrong (ids twice, edges to nowhere) is repaired. The report says all of it.
 * Throws IMPORT_UNREADABLE for a wrong type in the skeleton and for more than a flow may hold.
 */
export function importTypebot(source: Fields, registry: Registry, ids: IdSource): { flow: Flow; report: ImportReport } {
  const file = readTypebot(source)
  const report = createReport('typebot', clip(file.version, 20))
  if (!KNOWN_VERSIONS.test(file.version)) {
    report.note('warning', undefined, `Version '${clip(file.version, 20)}' is not known here; versions 3 to 6.1 are.`)
  }
  for (const type of file.otherEvents) {
    report.note('warning', undefined, `The event '${clip(type, 40)}' has no counterpart here and is left out.`)
  }
  refuseTooMany(file)
  const variables = importVariables(file, ids, report)
  const places = createPlaces(file, ids, report)
  const importers = importersOf(registry)
  const exits: Exits = new Map()

  const placed = file.groups.map((group, index): Group => {
    const title = titleOf(group, index)
    if (group.title.length > title.length) report.note('info', title, `The group's title was longer and was cut.`)
    if (!group.position) report.note('info', title, 'The group had no position.')
    return {
      id: places.groupId(index),
      title,
      position: group.position ?? { x: 0, y: 0 },
      blocks: group.blocks.map((block, at) => {
        const id = places.blockId(index, at)
        const mapped = mapBlock(block, `${title} › ${clip(block.type, 60)}`, importers, variables, places, ids, report)
        exits.set(block, { blockId: id, ports: mapped.ports, place: `${title} › ${clip(block.type, 60)}` })
        return { id, kind: mapped.kind.kind, version: mapped.kind.migrations.length, data: mapped.data } satisfies Block
      }),
    }
  })
  const isStart = (index: number) => file.groups[index]?.blocks.map(({ type }) => type).join() === 'start'
  const groups = placed.map((group, index) => (isStart(index) ? withRoom(group, placed) : group))
  if (!file.groups.some((group) => group.blocks.some((block) => block.type === 'start'))) {
    report.note('warning', undefined, 'The file has no start: add one and connect it.')
  }
  const edges = connect(file, exits, places, report)
  return { flow: { ...emptyFlow(), groups, edges, variables: variables.variables }, report: report.finish() }
}

interface Mapped {
  kind: AnyBlock
  data: Block['data']
  ports: MappedBlock['ports']
}

function mapBlock(
  block: TypebotBlock,
  place: string,
  importers: Importers,
  variables: ImportedVariables,
  places: Places,
  ids: IdSource,
  report: ReportWriter,
): Mapped {
  const found = importers.byType.get(block.type)
  let reason = 'There is no block of this kind here.'
  if (found) {
    const context = createBlockContext(variables, places, ids, (message) => report.note('warning', place, message))
    const mapped = found.importer.map({ ...block.fields, id: block.id, type: block.type }, context)
    if (!('notMapped' in mapped)) {
      const checked = found.kind.schema.safeParse(mapped.data)
      if (checked.success) {
        report.mapped(clip(block.type, 60), found.kind.kind)
        return { kind: found.kind, data: checked.data, ports: mapped.ports }
      }
      const issue = checked.error.issues[0]
      reason = `Its data does not fit: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim()
    } else reason = mapped.notMapped
  }
  report.placeholder(clip(block.type, 60), reason)
  report.note('warning', place, `Kept as a placeholder, which does nothing. ${reason}`)
  const data = importers.keep({ product: 'typebot', type: block.type, reason, data: toJson(block.fields) })
  return { kind: importers.keeper, data, ports: { default: importers.keeper.ports(data)[0]?.id } }
}

interface Importers {
  byType: Map<string, { kind: AnyBlock; importer: BlockImporter }>
  /** the kind that keeps what no other can stand for */
  keeper: AnyBlock
  keep: NonNullable<AnyBlock['keeps']>
}

function importersOf(registry: Registry): Importers {
  const byType: Importers['byType'] = new Map()
  for (const kind of registry.kinds) {
    for (const importer of kind.importers) {
      if (importer.product === 'typebot') for (const type of importer.types) byType.set(type, { kind, importer })
    }
  }
  const keeper = registry.kinds.find(({ keeps }) => keeps)
  if (!keeper?.keeps) throw new EngineError('KIND_UNKNOWN', 'No kind keeps what has no kind here.')
  return { byType, keeper, keep: keeper.keeps }
}

const titleOf = (group: TypebotGroup, index: number): string =>
  clip(group.title.trim(), flowCaps.groupTitle) || `Group ${index + 1}`

function refuseTooMany(file: TypebotFile): void {
  const blocks = file.groups.reduce((sum, group) => sum + group.blocks.length, 0)
  for (const [what, count, most] of [
    ['groups', file.groups.length, flowCaps.groups],
    ['blocks', blocks, flowCaps.blocks],
  ] as const) {
    if (count > most) throw new EngineError('IMPORT_UNREADABLE', `It has ${count} ${what}, at most ${most} fit.`)
  }
}
