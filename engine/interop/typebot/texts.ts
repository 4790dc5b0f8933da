import type { DynamicPart, DynamicValue } from '../../values/dynamicValue'
import { splitPath } from '../../values/valuePath'
import { clip } from '../fields'

export type TextPiece = { text: string } | { variableId: string; path?: string }

export interface VariableNames {
  /** our id for a variable name in the file's texts; undefined if there is no such variable */
  byName: (name: string) => string | undefined
  /** for products with richer references: the variable, or the part of one, that the text in the braces means */
  find?: (written: string) => { variableId: string; path?: string } | null
  note: (message: string) => void
}

/**
 * Splits `Hi {{Name}}` into text and variables. Unknown names stay text and are noted; code (`{{= … =}}`) is dropped
 * and noted, unless it is just a variable.
 */
export function splitVariables(text: string, names: VariableNames): TextPiece[] {
  const pieces: TextPiece[] = []
  let plain = ''
  let end = 0
  const take = (at: number, length: number, piece: TextPiece | null) => {
    plain += text.slice(end, at)
    end = at + length
    if (!piece) return
    if (plain) pieces.push({ text: plain })
    pieces.push(piece)
    plain = ''
  }
  for (const { at, whole, inner, isCode } of placesIn(text)) {
    const name = isCode ? bareName(inner) : inner
    const found = name === null ? null : findVariable(name.trim(), names)
    if (found) take(at, whole.length, found)
    else if (isCode) {
      names.note(
        `The inline code '${clip(whole, 80)}' can't be run here and is left out: set a variable before, by an expression.`,
      )
      take(at, whole.length, null)
    } else names.note(`There is no variable '${clip(inner.trim(), 80)}': its place in the text stays as it is.`)
  }
  plain += text.slice(end)
  return plain ? [...pieces, { text: plain }] : pieces
}

/**
 * Finds `{{Name}}` and `{{= code =}}`, which may contain names. One pass: an unclosed opening is searched only once.
 */
function* placesIn(text: string): Generator<{ at: number; whole: string; inner: string; isCode: boolean }> {
  const pattern = /\{\{(?:=|([^{}]*)\}\})/g
  let closed = true
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[1] !== undefined) {
      yield { at: match.index, whole: match[0], inner: match[1], isCode: false }
      continue
    }
    const close = closed ? text.indexOf('=}}', pattern.lastIndex) : -1
    if (close < 0) {
      closed = false
      pattern.lastIndex = match.index + 2
      continue
    }
    const whole = text.slice(match.index, close + 3)
    yield { at: match.index, whole, inner: text.slice(pattern.lastIndex, close), isCode: true }
    pattern.lastIndex = close + 3
  }
}

/** The variable name in code that consists of nothing else. */
const bareName = (code: string): string | null => /^\s*\{\{([^{}]*)\}\}\s*$/.exec(code)?.[1] ?? null

/** A variable by its name, or a part of one (`{{order.items[0]}}`); a name that contains a dot has priority. */
function findVariable(text: string, names: VariableNames): { variableId: string; path?: string } | null {
  if (names.find) return names.find(text)
  const whole = names.byName(text)
  if (whole !== undefined) return { variableId: whole }
  const { name, path } = splitPath(text)
  const variableId = path === undefined ? undefined : names.byName(name)
  return variableId === undefined ? null : { variableId, path }
}

const partOf = ({ variableId, path }: { variableId: string; path?: string }): DynamicPart => ({
  type: 'variable',
  variable_id: variableId,
  ...(path !== undefined && { path }),
})

/** The most parts of a dynamic value. */
const MAX_PARTS = 2000

/** A one-line value with at most `max` characters of text; cuts are noted. */
export function toDynamicValue(text: string, max: number, names: VariableNames): DynamicValue {
  const parts: DynamicPart[] = []
  let room = max
  let cut = false
  for (const piece of splitVariables(text, names)) {
    if (parts.length === MAX_PARTS || ('text' in piece && piece.text.length > room)) cut = true
    if (parts.length === MAX_PARTS) break
    if ('variableId' in piece) parts.push(partOf(piece))
    else {
      const kept = clip(piece.text, room)
      if (kept) parts.push({ type: 'text', text: kept })
      room -= kept.length
    }
    if (cut) break
  }
  if (cut) names.note(`The text '${clip(text, 40)}…' is longer than ${max} characters and was cut.`)
  const [first, ...more] = parts
  if (!first) return { type: 'static', value: '' }
  return first.type === 'text' && more.length === 0 ? { type: 'static', value: first.text } : { type: 'dynamic', parts }
}
