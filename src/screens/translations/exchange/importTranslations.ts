import { viewOfFlow } from '../../../../engine/check/view'
import type { Registry } from '../../../../engine/flow/registry'
import type { Flow } from '../../../../engine/flow/schema'
import { type ImportPlan, planImport } from '../../../../engine/translations/planImport'
import { textRows } from '../../../../engine/translations/textRows'
import { MAX_LANGUAGES } from '../../../../engine/translations/translation'
import { variableNamesOf } from '../../../../engine/translations/variableNames'
import { findLanguage } from '../../../../engine/values/languages'
import { readCsv } from './csv'
import { exchangeCaps, UnreadableFile } from './entries'
import { readXliff } from './xliff'

export interface ImportRequest {
  source: string
  flows: readonly { id: string; flow: Flow }[]
  /** the chatbot's languages */
  main: string
  others: readonly string[]
}

export type ImportAnswer =
  | { ok: true; plan: ImportPlan; newLanguages: string[]; foreign: { language: string; count: number }[] }
  | { ok: false; message: string }

/**
 * Parses a file of translations, CSV or XLIFF 2, and plans its import. The result lists languages that are new to the
 * chatbot.
 */
export function readTranslations({ source, flows, main, others }: ImportRequest, registry: Registry): ImportAnswer {
  try {
    if (source.length > exchangeCaps.bytes)
      throw new UnreadableFile(`It is larger than ${exchangeCaps.bytes / 1e6} MB; split it into several files.`)
    const { entries } = /^\uFEFF?\s*</.test(source.slice(0, 1_000)) ? readXliff(source) : readCsv(source, main)
    const named = new Set(entries.map(({ language }) => language))
    const newLanguages = [...named].filter((code) => code !== main && !others.includes(code) && findLanguage(code))
    const taken = new Set([...others, ...newLanguages.slice(0, MAX_LANGUAGES - others.length)])
    const targets = flows.map(({ id, flow }) => ({
      flow: id,
      rows: textRows(viewOfFlow(flow), registry),
      names: variableNamesOf(flow.variables),
    }))
    const plan = planImport(
      targets,
      registry,
      entries.filter(({ language }) => taken.has(language)),
    )
    const foreign = [...named]
      .filter((code) => !taken.has(code))
      .map((language) => ({ language, count: entries.filter((entry) => entry.language === language).length }))
    return { ok: true, plan, newLanguages: newLanguages.filter((code) => taken.has(code)), foreign }
  } catch (error) {
    if (error instanceof UnreadableFile) return { ok: false, message: error.message }
    return { ok: false, message: 'The file could not be read.' }
  }
}
