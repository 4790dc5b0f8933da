import type { BlockView } from '../../document/commands'
import type { Registry } from '../../flow/registry'
import { blockTexts } from '../../translations/blockTexts'
import { lostVariables, translationState } from '../../translations/state'
import type { Languages } from '../../translations/translation'
import type { Json } from '../../values/json'
import { languageName } from '../../values/languages'
import type { Diagnostic } from '../diagnostic'
import { differing, type FlowView } from '../view'
import { report } from './report'

/** What one block contributes to a language's findings. */
interface Tally {
  missing: number
  outdated: number
  lost: { place: string; variableId: string }[]
}

const NOTHING: Diagnostic[] = []

/**
 * Checks a flow's translations: for each language, reports the number of missing and of outdated ones, and each
 * translation that lacks a variable. Reporting each missing text would give thousands of findings for a language that
 * was just added.
 */
export function createTranslationCheck(
  registry: Registry,
): (view: FlowView, languages: Languages | null) => Diagnostic[] {
  let before: { blocks: FlowView['blocks']; languages: string } = { blocks: new Map(), languages: '' }
  const tallies = new Map<string, Map<string, Tally>>()
  let found = NOTHING

  return ({ blocks }, languages) => {
    const spoken = languages?.others ?? []
    const key = spoken.join()
    if (key !== before.languages) tallies.clear()
    const changed = key === before.languages ? differing(before.blocks, blocks) : blocks.keys()
    before = { blocks, languages: key }
    if (spoken.length === 0) {
      found = NOTHING
      return found
    }
    let isNew = found === NOTHING
    for (const id of changed) {
      isNew = true
      const block = blocks.get(id)
      const own = block && tallyOf(block, registry, spoken)
      if (own && own.size > 0) tallies.set(id, own)
      else tallies.delete(id)
    }
    if (isNew) found = tell(blocks, tallies, spoken, found)
    return found
  }
}

function tallyOf({ kind, data, translations = {} }: BlockView, registry: Registry, languages: readonly string[]) {
  const tallies = new Map<string, Tally>()
  const texts = blockTexts(data as Record<string, Json>, registry.find(kind)?.visitorTexts ?? [])
  for (const language of languages) {
    const tally: Tally = { missing: 0, outdated: 0, lost: [] }
    for (const { place, text } of texts) {
      const translation = translations[language]?.[place]
      const state = translationState(text, translation)
      if (state === 'missing') tally.missing += 1
      if (state === 'outdated') tally.outdated += 1
      if (translation)
        for (const variableId of lostVariables(text, translation.text)) tally.lost.push({ place, variableId })
    }
    if (tally.missing + tally.outdated + tally.lost.length > 0) tallies.set(language, tally)
  }
  return tallies
}

/** Findings that did not change stay the same object. */
function tell(
  blocks: FlowView['blocks'],
  tallies: ReadonlyMap<string, ReadonlyMap<string, Tally>>,
  languages: readonly string[],
  before: readonly Diagnostic[],
): Diagnostic[] {
  const next: Diagnostic[] = []
  for (const code of languages) {
    const language = languageName(code)
    const sum = { missing: 0, outdated: 0 }
    for (const [blockId, own] of tallies) {
      const tally = own.get(code)
      if (!tally) continue
      sum.missing += tally.missing
      sum.outdated += tally.outdated
      const groupId = blocks.get(blockId)?.groupId ?? ''
      for (const { place, variableId } of tally.lost)
        next.push(report('translation-lost-variable', { groupId, blockId, path: place, variableId }, { language }))
    }
    const remedy = { code: 'open-translations', commands: [], language: code } as const
    if (sum.missing > 0) next.push(report('translation-missing', {}, { language, count: sum.missing }, remedy))
    if (sum.outdated > 0) next.push(report('translation-outdated', {}, { language, count: sum.outdated }, remedy))
  }
  const known = new Map(before.map((one) => [JSON.stringify(one), one]))
  return next.map((one) => known.get(JSON.stringify(one)) ?? one)
}
