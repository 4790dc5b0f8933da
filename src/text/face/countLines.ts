import { type DynamicValue, dynamicValueToString } from '../../../engine/values/dynamicValue'
import { isChip, type RichText } from '../../../engine/values/richText'
import { secretLabel } from '../../../engine/values/secrets'
import { faceMetrics } from '../../ui/blockFace'
import type { NameOf } from '../RichTextView'

/** Delimits a chip's text while lines are counted. */
const CHIP_BEGIN = '\ue000'
const CHIP_END = '\ue001'

/** The maximal width of a chip on a face (`max-width` in face.module.css). */
const CHIP_WIDTH = 160
/** its horizontal padding (text.module.css) */
const CHIP_PADDING = 10
/** Its font is smaller and bolder than the surrounding text. */
const CHIP_LETTERS = (12 / 13) * 1.03
/** a secret's lock icon with its margin */
const CHIP_LOCK = 13
const SECRET = secretLabel('')
/** More than fit in a chip, even of the narrowest letters. */
const CHIP_CHARACTERS = 60
/** A deleted variable's chip is measured in English, whatever the language. */
const DELETED = 'deleted variable'

/** The indentation of a list item per level. */
const INDENT = 18

/** More than fit on a line, even of the narrowest letters. */
export const CHARACTERS_A_LINE = 200

/**
 * Characters of Inter at 13px by width in pixels: accurate enough for counting lines, and the same on every machine.
 */
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

/** From here on most scripts are as wide as high (Hangul, kana, Chinese, emoji). */
const FULL_WIDTH = 0x1100

const width = (character: string): number =>
  widths.get(character) ?? ((character.codePointAt(0) ?? 0) >= FULL_WIDTH ? 13.5 : 7.8)

const textWidth = (text: string): number => [...text].reduce((sum, character) => sum + width(character), 0)

/** The width of a chip with this text on a face. */
const chipWidth = (text: string): number =>
  Math.min(CHIP_WIDTH, CHIP_PADDING + textWidth(text) * CHIP_LETTERS + (text.startsWith(SECRET) ? CHIP_LOCK : 0))

/** Unbreakable units: a chip with the punctuation after it, or a word; each with its trailing space. */
const WORDS = /\ue000[^\ue001]*\ue001[,.;:!?)\]]*\s?|[^\s\ue000]*\s|[^\s\ue000]+|\ue000/g

function wordWidth(word: string, available: number): number {
  const end = word.startsWith(CHIP_BEGIN) ? word.indexOf(CHIP_END) : -1
  const chip = end < 0 ? 0 : Math.min(chipWidth(word.slice(1, end)), available)
  return chip + textWidth(word.slice(end + 1))
}

/**
 * The number of lines of a text at a width, at most `max`: words wrap, longer ones break. If a browser wraps
 * differently, the text is clamped or leaves an empty line, so a face's height never depends on fonts.
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
 * Lines of a translated sentence with elements, as `Trans` renders it ("Append <value/> to <variable/>").
 *
 * @param parts texts of the empty elements; other tags are removed
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

/** Lines of rich text, at most `max`; list items have less width. */
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

/** For counting lines: represents a variable's chip in a text, with the same arguments as `Chip`. */
export const chipOf = (name: string | null | undefined, path = ''): string =>
  `${CHIP_BEGIN}${(name == null ? DELETED : `${name}${path}`).slice(0, CHIP_CHARACTERS)}${CHIP_END}`

/** For counting lines of a sentence that contains the value. */
export const withChips = (value: DynamicValue, nameOf: NameOf): string =>
  dynamicValueToString(value, (id, path) => chipOf(nameOf(id), path))
