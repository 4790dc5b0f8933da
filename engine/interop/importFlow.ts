import { EngineError } from '../errors'
import type { IdSource } from '../flow/ids'
import { parseFlow, parseFlowFile } from '../flow/parseFlow'
import type { Registry } from '../flow/registry'
import { type ChatbotFlows, FLOW_FORMAT, type Flow } from '../flow/schema'
import { firstProblem } from '../values/issues'
import { readDify } from './dify/readDify'
import { clip, type Fields, isFields } from './fields'
import { readFlowise } from './flowise/readFlowise'
import type { ImportReport } from './importer'
import { importNodes } from './nodes/importNodes'
import { type Recognised, recognise } from './products'
import { readFile } from './readFile'
import { createReport } from './report'
import { importTypebot } from './typebot/importTypebot'

/** A file's content; `others` are the flows besides the main one. */
export type Imported = { flow: ChatbotFlows['main']; others: ChatbotFlows['others']; report: ImportReport }

/**
 * Imports the text of a file: our own format unchanged (ids kept, so that exporting the import gives the same file), or
 * another product's with ids from `ids`. Deterministic for the same file and ids. Throws IMPORT_UNREADABLE or
 * FLOW_TOO_DEEP naming the place, and for our own format what parseFlow throws.
 */
export function importFlow(source: string, registry: Registry, ids: IdSource): Imported {
  const file = readFile(source)
  if (isFields(file) && file.format === FLOW_FORMAT) return importOwn(file, registry)
  const recognised = recognise(file)
  if (recognised === null)
    throw new EngineError(
      'IMPORT_UNREADABLE',
      'It is no flow of Parley, Typebot, Dify or Flowise: it has neither groups of blocks nor nodes.',
    )
  if (recognised.product === 'other') {
    const { name, instead } = recognised.other
    throw new EngineError('IMPORT_UNREADABLE', `It is a file of ${name}, which can't be imported. ${instead}`)
  }
  const { flow, report } = importers[recognised.product](recognised.file, registry, ids)
  // imported flows obey every rule of a flow, in canonical form
  return { flow: parseFlow(flow, registry), others: [], report }
}

type ImportFile = (file: Fields, registry: Registry, ids: IdSource) => { flow: Flow; report: ImportReport }

const importers: Record<Extract<Recognised, { file: Fields }>['product'], ImportFile> = {
  typebot: importTypebot,
  dify: (file, registry, ids) => importNodes(readDify(file), registry, ids),
  flowise: (file, registry, ids) => importNodes(readFlowise(file), registry, ids),
}

function importOwn(file: Record<string, unknown>, registry: Registry): Imported {
  const notes: string[] = []
  const { main, others } = parseFlowFile(file, registry, (message) => notes.push(message))
  const report = createReport('parley', String(main.version))
  const groups = [main, ...others.map(({ flow }) => flow)].flatMap((flow) => flow.groups)
  for (const { kind } of groups.flatMap((group) => group.blocks)) {
    report.mapped(kind, kind)
    if (!registry.find(kind))
      report.note('warning', undefined, `The kind '${kind}' is not known here; its blocks are kept.`)
  }
  for (const { title, blocks } of groups) {
    for (const { kind, data } of blocks) {
      const problem = registry.find(kind)?.schema.safeParse(data).error?.issues
      if (problem)
        report.note(
          'warning',
          `${clip(title, 100)} › ${kind}`,
          `Its data does not fit: ${firstProblem(problem)} It is kept.`,
        )
    }
  }
  for (const message of notes) report.note('info', undefined, message)
  return { flow: main, others, report: report.finish() }
}
