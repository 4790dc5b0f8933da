import { markdownText } from '../../values/markdown'
import type { RichText } from '../../values/richText'
import { type TextPiece, toDynamicValue, type VariableNames } from '../typebot/texts'

/** Represent variables while the text is parsed; private use characters, which nobody types. */
const OPEN = '\ue000'
const CLOSE = '\ue001'
const TOKEN = /\ue000(\d{1,5})\ue001/

/** A text holds up to 20,000 characters (SPEC.md 9). */
const MAX_LENGTH = 20_000

/** Converts Markdown with variables to rich text. Text that is too long is cut, and noted. */
export function fromMarkdown(text: string, names: VariableNames): RichText {
  const cut = toDynamicValue(text.replace(/[\ue000\ue001]/g, ''), MAX_LENGTH, names)
  if (cut.type === 'static') return markdownText(cut.value)
  const pieces: Extract<TextPiece, { variableId: string }>[] = []
  const written = cut.parts.map((part) => {
    if (part.type === 'text') return part.text
    pieces.push({ variableId: part.variable_id, ...(part.path !== undefined && { path: part.path }) })
    return `${OPEN}${pieces.length - 1}${CLOSE}`
  })
  return markdownText(written.join('')).map((paragraph) => ({
    ...paragraph,
    children: paragraph.children.flatMap((child) => {
      if (!child.text.includes(OPEN)) return [child]
      return child.text.split(TOKEN).flatMap((part, at) => {
        const piece = at % 2 === 1 ? pieces[Number(part)] : undefined
        if (!piece) return part === '' ? [] : [{ ...child, text: part }]
        const { variableId, path } = piece
        return [
          { ...child, text: '', variable: true as const, variable_id: variableId, ...(path !== undefined && { path }) },
        ]
      })
    }),
  }))
}
