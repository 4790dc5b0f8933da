import { dynamicValueVariables } from '../values/dynamicValue'
import { richTextVariables } from '../values/richText'
import { fingerprint } from './fingerprint'
import type { Translation, VisitorText } from './translation'

/** `outdated`: the main text has changed since; `machine`: written by a model, and nobody has looked at it yet. */
export type TranslationState = 'missing' | 'outdated' | 'machine' | 'done'

export function translationState(main: VisitorText, translation: Translation | undefined): TranslationState {
  if (!translation) return 'missing'
  if (translation.of !== fingerprint(main)) return 'outdated'
  return translation.by === 'model' ? 'machine' : 'done'
}

/** Ids of the variables that a text names, in chips and in addresses of links. */
export const textVariables = (text: VisitorText): string[] =>
  Array.isArray(text) ? richTextVariables(text) : dynamicValueVariables(text)

/** Ids of the variables that the main text names and the translation does not. */
export function lostVariables(main: VisitorText, translation: VisitorText): string[] {
  const kept = new Set(textVariables(translation))
  return [...new Set(textVariables(main))].filter((id) => !kept.has(id))
}
