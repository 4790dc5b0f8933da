import type { DynamicPart, DynamicValue } from '../../values/dynamicValue'
import { splitPath } from '../../values/valuePath'
import { clip } from './fields'

export type TextPiece = { text: string } | { variableId: string; path?: string }

export interface VariableNames {
  /** our id for a name as the file's texts write it; undefined when there is no such variable */
  byName: (name: string) => string | undefined
  /** where names are more than that: the variable, or the part of one, that the product means by what stands in the braces */
  find?: (written: string) => { variableId: string; path?: string } | null
  note: (message: string) => void
}

/** Splits `Hi {{Name}}` into text and variables. What is no variable's name stays text and is noted. */
export function splitVariables(text: string, names: VariableNames): TextPiece[] {
  const pieces: TextPiece[] = []
  let plain = ''
  let end = 0
  for (const match of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const name = (match[1] ?? '').trim()
    const found = findVariable(name, names)
    if (!found) {
      names.note(
        name.startsWith('=')
          ? `The inline code '${clip(match[0], 80)}' can't be run here and stays as text.`
          : `There is no variable '${clip(name, 80)}': its place in the text stays as it is.`,
      )
      continue
    }
    plain += text.slice(end, match.index)
    if (plain) pieces.push({ text: plain })
    pieces.push(found)
    plain = ''
    end = match.index + match[0].length
  }
  plain += text.slice(end)
  return plain ? [...pieces, { text: plain }] : pieces
}

/** A variable by its name, or a part of one (`{{order.items[0]}}`); a name with a dot in it comes first. */
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

/** Most parts of a dynamic value. */
const MAX_PARTS = 2000

/** A one-line value of at most `max` characters of text; what is cut is noted. */
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
