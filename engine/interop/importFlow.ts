import { EngineError } from '../errors'
import type { IdSource } from '../flow/ids'
import { parseFlow, parseFlowFile } from '../flow/parseFlow'
import type { Registry } from '../flow/registry'
import { type ChatbotFlows, FLOW_FORMAT } from '../flow/schema'
import type { ImportReport } from './importer'
import { readJson } from './readJson'
import { createReport } from './report'
import { isFields } from './typebot/fields'
import { importTypebot } from './typebot/importTypebot'
import { isTypebot } from './typebot/readTypebot'

/** What a file held; `others` are the flows beside the main one. */
export type Imported = { flow: ChatbotFlows['main']; others: ChatbotFlows['others']; report: ImportReport }

/**
 * Reads the text of a file as a flow: our own format as it is (ids kept, so that an export of the import is the same file),
 * or Typebot's with ids made by `ids`. The same file with the same ids gives the same flow.
 * Throws IMPORT_UNREADABLE or FLOW_TOO_DEEP naming the place, and for our own format what parseFlow throws.
 */
export function importFlow(source: string, registry: Registry, ids: IdSource): Imported {
  const file = readJson(source)
  if (isFields(file) && file.format === FLOW_FORMAT) return importOwn(file, registry)
  if (isTypebot(file)) {
    const { flow, report } = importTypebot(file, registry, ids)
    // what came from outside obeys every rule of a flow, and has its one form
    return { flow: parseFlow(flow, registry), others: [], report }
  }
  throw new EngineError('IMPORT_UNREADABLE', 'It is neither a Parley flow nor a Typebot flow: it has no groups.')
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
  for (const message of notes) report.note('info', undefined, message)
  return { flow: main, others, report: report.finish() }
}
