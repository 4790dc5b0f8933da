import { type DynamicValue, dynamicValueToString } from '../../../engine/values/dynamicValue'
import { isChip, type RichText } from '../../../engine/values/richText'
import { secretLabel } from '../../../engine/values/secrets'
import { faceMetrics } from '../../ui/blockFace'
import type { NameOf } from '../RichTextView'

/** Around the text of a chip while lines are counted. */
const CHIP_BEGIN = '\ue000'
const CHIP_END = '\ue001'

/** The most that a chip on a face takes (`max-width` in face.module.css). */
const CHIP_WIDTH = 160
/** its padding, left and right (text.module.css) */
const CHIP_PADDING = 10
/** Its letters are smaller than the text around it, and bolder. */
const CHIP_LETTERS = (12 / 13) * 1.03
/** the lock of a secret, with its margin */
const CHIP_LOCK = 13
const SECRET = secretLabel('')
/** More than the narrowest letters that fit in a chip. */
const CHIP_CHARACTERS = 60
/** A deleted variable's chip counts as in English, since the language may be any. */
const DELETED = 'deleted variable'

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
]
const widths = new Map(
  groups.flatMap(([width, characters]) => [...characters].map((character) => [character, width] as const)),
)

/** From here on scripts are mostly as wide as high (Hangul, kana, Chinese, emoji). */
const FULL_WIDTH = 0x1100

const width = (character: string): number =>
  widths.get(character) ?? ((character.codePointAt(0) ?? 0) >= FULL_WIDTH ? 13.5 : 7.8)

const textWidth = (text: string): number => [...text].reduce((sum, character) => sum + width(character), 0)

/** As wide as a chip with this text is on a face. */
const chipWidth = (text: string): number =>
  Math.min(CHIP_WIDTH, CHIP_PADDING + textWidth(text) * CHIP_LETTERS + (text.startsWith(SECRET) ? CHIP_LOCK : 0))

/** What stays on one line: a chip with the punctuation behind it, or a word; each with the space that ends it. */
const WORDS = /\ue000[^\ue001]*\ue001[,.;:!?)\]]*\s?|[^\s\ue000]*\s|[^\s\ue000]+|\ue000/g

function wordWidth(word: string, available: number): number {
  const end = word.startsWith(CHIP_BEGIN) ? word.indexOf(CHIP_END) : -1
  const chip = end < 0 ? 0 : Math.min(chipWidth(word.slice(1, end)), available)
  return chip + textWidth(word.slice(end + 1))
}

/**
 * How many lines a text takes at a width, at most `max`: words wrap, longer ones break. What the browser then wraps
 * differently is clamped (or leaves a line empty), so a face's height never depends on fonts.
 */
export function countLines(text: string, max: number, available: number = faceMetrics.width): number {
  let lines = 0
  for (const paragraph of text.slice(0, max * CHARACTERS_A_LINE).split('\n')) {
    lines++
    let used = 0
    for (const word of paragraph.match(WORDS) ?? []) {
      let wide = wordWidth(word, available)
      const space = /\s$/.test(word) ? width(' ') : 0
      if (used > 0 && used + wide - space > available) {
        lines++
        used = 0
      }
      while (available > 0 && wide - space > available) {
        lines++
        wide -= available
      }
      used += wide
    }
    if (lines >= max) return max
  }
  return lines
}

/**
 * Lines of a translated sentence with elements, as `Trans` shows it ("Append <value/> to <variable/>").
 *
 * @param parts what stands for the empty elements; the tags of others are left out
 */
export const countSentenceLines = (
  sentence: string,
  parts: Readonly<Record<string, string>>,
  max: number,
  available?: number,
): number =>
  countLines(
    sentence.replace(/<\/?(\w+) ?\/?>/g, (_, name: string) => parts[name] ?? ''),
    max,
    available,
  )

/** Lines of rich text, at most `max`: an item of a list has less room than a paragraph. */
export function countRichTextLines(value: RichText, max: number, nameOf: NameOf): number {
  let lines = 0
  for (const { list, level = 0, children } of value) {
    const text = children
      .map((child) => (isChip(child) ? chipOf(nameOf(child.variable_id), child.path) : child.text))
      .join('')
    lines += countLines(text, max, faceMetrics.width - (list ? INDENT * (level + 1) : 0))
    if (lines >= max) return max
  }
  return lines
}

/** For counting lines: what stands for a variable's chip in a text. Gets what `Chip` gets. */
export const chipOf = (name: string | null | undefined, path = ''): string =>
  `${CHIP_BEGIN}${(name == null ? DELETED : `${name}${path}`).slice(0, CHIP_CHARACTERS)}${CHIP_END}`

/** For counting lines of a sentence that holds the value. */
export const withChips = (value: DynamicValue, nameOf: NameOf): string =>
  dynamicValueToString(value, (id, path) => chipOf(nameOf(id), path))
