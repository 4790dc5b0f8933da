import { yTextToSlateElement } from '@slate-yjs/core'
import type * as Y from 'yjs'
import { isChip, type RichText, richTextLength } from '../../engine/values/richText'
import { ChipField, type OnCut } from './ChipField'
import type { CardField } from './cardField'
import { bindToText, createTextEditor, type TextUndo } from './createTextEditor'
import { useVariableLookup } from './flowScope'
import { RichTextView } from './RichTextView'
import { TextToolbar } from './TextToolbar'

export interface RichTextEditorProps {
  /** the text in the projection: shown and counted */
  value: RichText
  /** the same text in the document, which is edited; null if it does not exist */
  text: Y.XmlText | null
  /** identifies the text within the flow, for peers' carets */
  place?: string
  undo: TextUndo
  label: string
  max: number
  placeholder?: string
  readOnly?: boolean
  error?: string
  describedBy?: string
  /** it is on a card of the canvas */
  card?: CardField
}

/** A rich text of the document with paragraphs, formatting, links and chips, edited by several people at once. */
export function RichTextEditor({ value, text, place, undo, readOnly = false, ...field }: RichTextEditorProps) {
  const lookup = useVariableLookup()
  const [only, ...others] = value
  const isEmpty =
    others.length === 0 && !only?.list && (only?.children ?? []).every((child) => child.text === '' && !isChip(child))
  const start = (target: Y.XmlText) => (onCut: OnCut) => {
    const editor = createTextEditor({ singleLine: false, formatting: true, max: field.max, onCut, ...lookup })
    return {
      editor,
      initial: yTextToSlateElement(target).children,
      ...bindToText(editor, target, undo),
      ...(place && { shared: { text: target, place } }),
    }
  }
  return (
    <ChipField
      {...field}
      toolbar={TextToolbar}
      singleLine={false}
      readOnly={readOnly}
      length={richTextLength(value)}
      view={isEmpty ? null : <RichTextView value={value} nameOf={lookup.nameOf} />}
      session={text && start(text)}
      sessionKey={text ? identity(text) : undefined}
    />
  )
}

const identities = new WeakMap<Y.XmlText, number>()
let count = 0

function identity(text: Y.XmlText): number {
  const known = identities.get(text)
  if (known !== undefined) return known
  identities.set(text, ++count)
  return count
}
