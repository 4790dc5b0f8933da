import { type DynamicValue, dynamicValueLength, dynamicValueToString } from '../values/dynamicValue'
import { type RichText, richTextLength } from '../values/richText'

/**
 * A part of a block that visitors see and channels limit. Lengths and labels are those that are known while the flow
 * is edited: variables count as nothing.
 */
export type VisitorPart =
  | { readonly as: 'text' | 'caption'; readonly path: string; readonly length: number }
  | { readonly as: 'options'; readonly path: string; readonly labels: readonly Label[] }

interface Label {
  readonly path: string
  readonly text: string
  readonly length: number
}

/** What a block says. */
export const textPart = (path: string, text: RichText): VisitorPart => ({
  as: 'text',
  path,
  length: richTextLength(text),
})

/** A line that stands below media, or by itself. */
export const linePart = (as: 'text' | 'caption', path: string, text: DynamicValue): VisitorPart => ({
  as,
  path,
  length: dynamicValueLength(text),
})

/**
 * The options of one question, of which one can be chosen. @param pathOf the path of the label at a position; default:
 * `<path>.<position>.label`
 */
export const optionsPart = (
  path: string,
  options: readonly { readonly label: DynamicValue }[],
  pathOf: (at: number) => string = (at) => `${path}.${at}.label`,
): VisitorPart => ({
  as: 'options',
  path,
  labels: options.map(({ label }, at) => ({
    path: pathOf(at),
    text: dynamicValueToString(label, () => '…'),
    length: dynamicValueLength(label),
  })),
})
