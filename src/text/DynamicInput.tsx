import { useLayoutEffect, useRef } from 'react'
import { Editor, Transforms } from 'slate'
import { type DynamicValue, dynamicValueLength } from '../../engine/values/dynamicValue'
import { ChipField, type OnCut } from './ChipField'
import type { CardField } from './cardField'
import { dynamicToNodes, nodesToDynamic } from './conversion'
import { createTextEditor } from './createTextEditor'
import { useVariableLookup } from './flowScope'
import { DynamicView } from './RichTextView'

export interface DynamicInputProps {
  value: DynamicValue
  onChange: (value: DynamicValue) => void
  /** what Ctrl-Z takes back: the document's edits, or those of a form that has not been applied */
  undo: { undo(): unknown; redo(): unknown; stopCapturing(): void }
  label: string
  max: number
  /** several lines */
  multiline?: boolean
  placeholder?: string
  readOnly?: boolean
  error?: string
  describedBy?: string
  /** the project's secrets can stand in it */
  secrets?: boolean
  /** the cursor stands in it from the start */
  autoFocus?: boolean
  /** it stands on a card of the canvas */
  card?: CardField
}

/** Plain text with chips. The last one to type wins, so it suits short values; a text for several writers is rich text. */
export function DynamicInput({
  value,
  onChange,
  undo,
  multiline = false,
  readOnly = false,
  secrets = false,
  ...field
}: DynamicInputProps) {
  const lookup = useVariableLookup()
  const editing = useRef<Editing | null>(null)
  const change = useRef(onChange)
  change.current = onChange

  useLayoutEffect(() => {
    const open = editing.current
    if (open && !isEcho(open, print(value))) replaceAll(open.editor, value)
  }, [value])

  const start = (onCut: OnCut) => {
    const editor = createTextEditor({ singleLine: !multiline, formatting: false, max: field.max, onCut, ...lookup })
    const open: Editing = { editor, shown: print(value), sent: [] }
    return {
      editor,
      initial: dynamicToNodes(value),
      secrets,
      undo: () => undo.undo(),
      redo: () => undo.redo(),
      connect: () => {
        editing.current = open
        undo.stopCapturing()
        return () => {
          editing.current = null
          undo.stopCapturing()
        }
      },
      onChange: () => {
        const next = nodesToDynamic(editor.children)
        const printed = JSON.stringify(next)
        if (printed === open.shown) return
        open.shown = printed
        open.sent.push(printed)
        change.current(next)
      },
    }
  }
  const isEmpty = value.type === 'static' ? value.value === '' : value.parts.length === 0
  return (
    <ChipField
      {...field}
      singleLine={!multiline}
      readOnly={readOnly}
      length={dynamicValueLength(value)}
      view={isEmpty ? null : <DynamicView value={value} nameOf={lookup.nameOf} />}
      session={start}
    />
  )
}

interface Editing {
  editor: Editor
  /** the value that the editor holds */
  shown: string
  /** what was typed and has not come back as `value` yet, oldest first */
  sent: string[]
}

/** One form for one value, so that it can be told from another. */
const print = (value: DynamicValue): string => JSON.stringify(nodesToDynamic(dynamicToNodes(value)))

/**
 * Is the value what was typed here, on its way back? Somebody who types fast is ahead of it, and must not be set back. Any other
 * value comes from outside, and the editor is to show it.
 */
function isEcho(open: Editing, value: string): boolean {
  const place = open.sent.indexOf(value)
  if (place >= 0) {
    open.sent.splice(0, place + 1)
    return true
  }
  if (value === open.shown) return true
  open.sent.length = 0
  open.shown = value
  return false
}

/** Shows what undo or somebody else made of the value; the cursor goes to the end. */
function replaceAll(editor: Editor, value: DynamicValue): void {
  Editor.withoutNormalizing(editor, () => {
    for (const _ of [...editor.children]) Transforms.removeNodes(editor, { at: [0] })
    Transforms.insertNodes(editor, dynamicToNodes(value), { at: [0] })
  })
  Transforms.select(editor, Editor.end(editor, []))
}
