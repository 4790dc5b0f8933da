import { printMarkup } from '../../../engine/translations/markup'
import { stateOfRow } from '../../../engine/translations/textRows'
import { translateCaps } from '../../../server/contracts/translations'
import type { ListedText } from './useTexts'

/** What is asked of a model at once: texts of one language. */
export interface Batch {
  language: string
  texts: { text: ListedText; markup: string }[]
}

/** The texts that have no translation or an outdated one, in questions as large as a model may be asked. */
export function machineBatches(texts: readonly ListedText[], languages: readonly string[]): Batch[] {
  return languages.flatMap((language) => {
    const batches: Batch[] = []
    let size = 0
    for (const text of texts) {
      const state = stateOfRow(text.row, language)
      const markup = printMarkup(text.row.text, text.names.nameOf)
      if ((state !== 'missing' && state !== 'outdated') || markup.length > translateCaps.text) continue
      let last = batches.at(-1)
      if (!last || last.texts.length === translateCaps.texts || size + markup.length > translateCaps.characters) {
        last = { language, texts: [] }
        batches.push(last)
        size = 0
      }
      last.texts.push({ text, markup })
      size += markup.length
    }
    return batches
  })
}
