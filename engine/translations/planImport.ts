import type { Registry } from '../flow/registry'
import type { Json } from '../values/json'
import { withTexts } from './blockTexts'
import { fingerprint } from './fingerprint'
import { parseMarkup } from './markup'
import { lostVariables } from './state'
import { type TextRow, translationOf } from './textRows'
import type { Translation, VisitorText } from './translation'
import type { VariableNames } from './variableNames'

/** A flow's texts, as input of an import. */
export interface ImportTarget {
  flow: string
  rows: readonly TextRow[]
  names: VariableNames
}

/** One imported translation, as markup. */
export interface ImportEntry {
  /** the flow's id; null: unknown */
  flow: string | null
  /** `<block id>.<place>` */
  id: string
  language: string
  /** the main text that was translated; null: the current one */
  main: string | null
  text: string
}

export interface PlannedTranslation {
  flow: string
  blockId: string
  place: string
  language: string
  translation: Translation
}

/** An import's effects: each entry is counted in one of `changes`, `same`, `unknown`, `refused`. */
export interface ImportPlan {
  changes: PlannedTranslation[]
  /** the number of changes that replace another translation */
  replaced: number
  /** the number of translations that exist already */
  same: number
  /** ids that don't belong to a text of the chatbot, with their language */
  unknown: { id: string; language: string }[]
  /** translations that the block's schema rejects, and why */
  refused: { id: string; language: string; message: string }[]
  /** of the changes: variables of the main text that are missing, by name */
  lost: { id: string; language: string; variables: string[] }[]
  /** of the changes: the number whose main text has changed since */
  outdated: number
}

/**
 * Matches translations with the texts of a chatbot's flows: by flow and text id; if the flow is unknown (in a copy of
 * the chatbot), by a text id that only one flow has. It changes nothing.
 * @param by the translator: a model's translations are marked until a person has reviewed them
 */
export function planImport(
  targets: readonly ImportTarget[],
  registry: Registry,
  entries: Iterable<ImportEntry>,
  by?: 'model',
): ImportPlan {
  const plan: ImportPlan = { changes: [], replaced: 0, same: 0, unknown: [], refused: [], lost: [], outdated: 0 }
  const find = finder(targets)
  for (const { flow, id, language, main, text } of entries) {
    const found = find(flow, id)
    if (!found) {
      plan.unknown.push({ id, language })
      continue
    }
    const { row, target } = found
    const form = Array.isArray(row.text) ? 'rich' : 'line'
    const read = (markup: string): VisitorText => parseMarkup(markup, form, target.names.idOf).text
    const translated = read(text)
    const of = main === null ? fingerprint(row.text) : fingerprint(read(main))
    const present = translationOf(row, language)
    if (
      present &&
      present.of === of &&
      fingerprint(present.text) === fingerprint(translated) &&
      sameVariables(present.text, translated)
    ) {
      plan.same += 1
      continue
    }
    const message = refusal(row, translated, registry)
    if (message !== null) {
      plan.refused.push({ id, language, message })
      continue
    }
    const lost = lostVariables(row.text, translated)
    if (lost.length > 0) plan.lost.push({ id, language, variables: lost.map(target.names.nameOf) })
    if (of !== fingerprint(row.text)) plan.outdated += 1
    if (present) plan.replaced += 1
    const translation = { text: translated, of, ...(by && { by }) }
    plan.changes.push({ flow: target.flow, blockId: row.block.id, place: row.place, language, translation })
  }
  return plan
}

const sameVariables = (a: VisitorText, b: VisitorText): boolean =>
  lostVariables(a, b).length === 0 && lostVariables(b, a).length === 0

function finder(targets: readonly ImportTarget[]) {
  const inFlow = new Map<string, { row: TextRow; target: ImportTarget }>()
  const anywhere = new Map<string, { row: TextRow; target: ImportTarget } | null>()
  for (const target of targets)
    for (const row of target.rows) {
      inFlow.set(`${target.flow}/${row.id}`, { row, target })
      anywhere.set(row.id, anywhere.has(row.id) ? null : { row, target })
    }
  return (flow: string | null, id: string) => inFlow.get(`${flow}/${id}`) ?? anywhere.get(id) ?? null
}

/** Why a translation is invalid, in the block kind's words; null: it is valid. */
export function refusal(
  { block, place }: Pick<TextRow, 'block' | 'place'>,
  text: VisitorText,
  registry: Registry,
): string | null {
  const definition = registry.find(block.kind)
  if (!definition) return null
  const data = block.data as Record<string, Json>
  const checked = definition.schema.safeParse(withTexts(data, definition.visitorTexts, new Map([[place, text]])))
  if (checked.success) return null
  // ignores problems that the block has without it
  const own = new Set(definition.schema.safeParse(data).error?.issues.map(keyOf))
  return checked.error.issues.find((issue) => !own.has(keyOf(issue)))?.message ?? null
}

const keyOf = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  JSON.stringify([path.map(String), message])
