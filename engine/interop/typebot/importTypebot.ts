import { EngineError } from '../../errors'
import type { IdSource } from '../../flow/ids'
import type { Registry } from '../../flow/registry'
import { type Block, emptyFlow, type Flow, flowCaps, type Group } from '../../flow/schema'
import { createBlockMapper } from '../blockMapper'
import { clip, type Fields, toJson } from '../fields'
import type { ImportReport } from '../importer'
import { createReport, type ReportWriter } from '../report'
import { isUnset, leftOut } from '../settings'
import { createBlockContext, createPlaces } from './context'
import { connect, type Exits } from './edges'
import { readTypebot, type TypebotFile, type TypebotGroup } from './readTypebot'
import { createReturns } from './returns'
import { withRoom } from './startRoom'
import { importVariables } from './variables'

const KNOWN_VERSIONS = /^(|3|4|5|6|6\.1)$/

/**
 * Imports a Typebot file with new ids. Blocks that no kind maps become placeholders that keep the block's data; defects
 * of the file (duplicate ids, dangling edges) are repaired. The report lists all of it. Throws IMPORT_UNREADABLE for
 * wrong types in the skeleton and for more than a flow may hold.
 */
export function importTypebot(source: Fields, registry: Registry, ids: IdSource): { flow: Flow; report: ImportReport } {
  const file = readTypebot(source)
  const report = createReport('typebot', clip(file.version, 20))
  if (!KNOWN_VERSIONS.test(file.version)) {
    report.note(
      'warning',
      undefined,
      `Version '${clip(file.version, 20)}' is not known here; versions 3 to 6.1 are. Look at what came of it.`,
    )
  }
  for (const type of file.otherEvents) report.note('warning', undefined, aboutEvent(type))
  noteWholeFile(source, report)
  refuseTooMany(file)
  const variables = importVariables(file, ids, report)
  const places = createPlaces(file, ids, report)
  const mapper = createBlockMapper(registry, 'typebot', report)
  const exits: Exits = new Map()
  const returns = createReturns(file)
  const remark = (message: string) => report.note('info', undefined, message)

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
        const place = `${title} › ${clip(block.type, 60)}`
        const note = (message: string) => report.note('warning', place, message)
        const context = createBlockContext(variables, places, ids, returns, { note, remark })
        const mapped = mapper.map(
          { ...block.fields, id: block.id, type: block.type },
          context,
          title,
          toJson(block.fields),
        )
        exits.set(block, { blockId: id, ports: mapped.ports, place })
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

const EVENTS = new Map([
  ['reply', 'ran at every reply: add intents for what visitors may say'],
  ['invalidReply', 'ran at replies that are not valid: connect the way out Invalid of the inputs'],
  ['command', 'began at a command from the page: add a trigger instead'],
])

const aboutEvent = (type: string): string =>
  `The event '${clip(type, 40)}' ${EVENTS.get(type) ?? 'has no counterpart here: add a trigger instead'}. It is left out.`

/** Top-level fields without a use here, or with a setting elsewhere. */
const IRRELEVANT =
  /^(version|id|name|groups|blocks|edges|variables|events|webhooks|createdAt|updatedAt|folderId|workspaceId|icon|isArchived|isClosed|publicId|riskLevel|selectedThemeTemplateId|resultsTablePreferences|whatsAppCredentialsId|customDomain)$/

function noteWholeFile(source: Fields, report: ReportWriter): void {
  for (const [name, value] of Object.entries(source)) {
    if (IRRELEVANT.test(name) || isUnset(value)) continue
    if (name === 'theme') report.note('info', undefined, 'Colours and fonts are left out: set them under Appearance.')
    else if (name === 'settings') report.note('info', undefined, 'Settings of the chat are left out: look at Settings.')
    else report.note('info', undefined, leftOut(name))
  }
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
