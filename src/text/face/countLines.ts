import { type DynamicValue, dynamicValueToString } from '../../../engine/values/dynamicValue'
import { type RichText, richTextToString } from '../../../engine/values/richText'
import { faceMetrics } from '../../ui/blockFace'

/** Stands for a chip while lines are counted: the names are not known then, so each chip counts as a usual one. */
export const CHIP = '\ue000'

const CHIP_WIDTH = 72

/** Width of a character of Inter at 13px, by group: near enough to count lines, and the same on every machine. */
function width(character: string): number {
  if (character === CHIP) return CHIP_WIDTH
  if (/[ilj'|.,:;!]/.test(character)) return 3.5
  if (/[ frt()[\]\-"/I]/.test(character)) return 4.8
  if (/[mwMW@%—]/.test(character)) return 11.2
  if (/[A-Z]/.test(character)) return 8.9
  if (/\d/.test(character)) return 8.2
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 13.5 : 7.3
}

/**
 * How many lines a text takes at a width, at most `max`: words wrap, longer ones break. What the browser then wraps
 * differently is clamped (or leaves a line empty), so a face's height never depends on fonts.
 */
export function countLines(text: string, max: number, available: number = faceMetrics.width): number {
  let lines = 0
  for (const paragraph of text.slice(0, max * 200).split('\n')) {
    lines++
    let used = 0
    for (const word of paragraph.split(/(?<=\s)|(?=\ue000)|(?<=\ue000)/)) {
      let wide = 0
      for (const character of word) wide += width(character)
      if (used > 0 && used + wide > available) {
        lines++
        used = 0
      }
      while (wide > available) {
        lines++
        wide -= available
      }
      used += wide
    }
    if (lines >= max) return max
  }
  return lines
}

export const countRichTextLines = (value: RichText, max: number): number => countLines(richTextToString(value, () => CHIP), max)

/** For counting lines of a sentence that holds the value. */
export const withChips = (value: DynamicValue): string => dynamicValueToString(value, () => CHIP)
