import type { FlowView } from '../../../../engine/check/view'
import type { Registry } from '../../../../engine/flow/registry'
import { printMarkup } from '../../../../engine/translations/markup'
import { stateOfRow, textRows, translationOf } from '../../../../engine/translations/textRows'
import { variableNamesOf } from '../../../../engine/translations/variableNames'
import type { ExchangedText } from './entries'

/** What things are called in the file. */
export interface ExchangeNames {
  kind(kind: string): string
  field(place: string, kind: string): string
}

/** All texts of flows, with their translations, as files carry them. */
export function exchangedTexts(
  flows: readonly { id: string; title: string; view: FlowView }[],
  registry: Registry,
  languages: readonly string[],
  names: ExchangeNames,
): ExchangedText[] {
  return flows.flatMap(({ id: flow, title: flowTitle, view }) => {
    const { nameOf } = variableNamesOf(view.variables)
    return textRows(view, registry).map((row): ExchangedText => {
      const { block, place, id, text } = row
      const translations = languages.flatMap((language) => {
        const translation = translationOf(row, language)
        if (!translation) return []
        const needsReview = stateOfRow(row, language) !== 'done'
        return [[language, { text: printMarkup(translation.text, nameOf), needsReview }] as const]
      })
      return {
        flow,
        flowTitle,
        group: view.groups.get(block.groupId)?.title ?? '',
        block: names.kind(block.kind),
        field: names.field(place, block.kind),
        id,
        main: printMarkup(text, nameOf),
        line: !Array.isArray(text),
        translations: new Map(translations),
      }
    })
  })
}
