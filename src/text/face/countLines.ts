import { type DynamicValue, dynamicValueToString } from '../../../engine/values/dynamicValue'
import { isChip, type RichText } from '../../../engine/values/richText'
import { faceMetrics } from '../../ui/blockFace'

/** Stands for a chip while lines are counted: the names are not known then, so each chip counts as a usual one. */
export const CHIP = '\ue000'

/** As wide as a chip on a face becomes (face.module.css). */
const CHIP_WIDTH = 88

/** What an item of a list is moved in by, a level. */
const INDENT = 18

/** More than the narrowest letters put into a line. */
export const CHARACTERS_A_LINE = 200

/** Characters of Inter at 13px by their width in pixels: near enough to count lines, and the same on every machine. */
const groups: readonly (readonly [number, string])[] = [
  [3.4, " iljI!,.:;'"],
  [4.4, '`tf|/\\()[]'],
  [5.4, 'r1{}'],
  [6.2, '-_"^*?'],
  [7, 'skxzLacvyJ'],
  [8.8, 'ABCDGHKNOQRSUVXY'],
  [11.2, 'wmM'],
  [12.8, '@%W'],
  [CHIP_WIDTH, CHIP],
]
const widths = new Map(
  groups.flatMap(([width, characters]) => [...characters].map((character) => [character, width] as const)),
)

/** From here on scripts are mostly as wide as high (Hangul, kana, Chinese, emoji). */
const FULL_WIDTH = 0x1100

const width = (character: string): number =>
  widths.get(character) ?? ((character.codePointAt(0) ?? 0) >= FULL_WIDTH ? 13.5 : 7.8)

/**
 * How many lines a text takes at a width, at most `max`: words wrap, longer ones break. What the browser then wraps
 * differently is clamped (or leaves a line empty), so a face's height never depends on fonts.
 */
export function countLines(text: string, max: number, available: number = faceMetrics.width): number {
  let lines = 0
  for (const paragraph of text.slice(0, max * CHARACTERS_A_LINE).split('\n')) {
    lines++
    let used = 0
    for (const word of paragraph.split(/(?<=\s)|(?=\ue000)|(?<=\ue000)/)) {
      let wide = 0
      for (const character of word) wide += width(character)
      const space = /\s$/.test(word) ? width(' ') : 0
      if (used > 0 && used + wide - space > available) {
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

/** Lines of rich text, at most `max`: an item of a list has less room than a paragraph. */
export function countRichTextLines(value: RichText, max: number): number {
  let lines = 0
  for (const { list, level = 0, children } of value) {
    const text = children.map((child) => (isChip(child) ? CHIP : child.text)).join('')
    lines += countLines(text, max, faceMetrics.width - (list ? INDENT * (level + 1) : 0))
    if (lines >= max) return max
  }
  return lines
}

/** For counting lines of a sentence that holds the value. */
export const withChips = (value: DynamicValue): string => dynamicValueToString(value, () => CHIP)
