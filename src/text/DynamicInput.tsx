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
  /** handles Ctrl-Z: the document's undo, or that of a form's draft */
  undo: { undo(): unknown; redo(): unknown; stopCapturing(): void }
  label: string
  max: number
  /** multiple lines */
  multiline?: boolean
  placeholder?: string
  readOnly?: boolean
  error?: string
  describedBy?: string
  /** whether the project's secrets can be inserted */
  secrets?: boolean
  /** focus it initially */
  autoFocus?: boolean
  /** it is on a card of the canvas */
  card?: CardField
}

/**
 * Plain text with chips. The last writer wins, so it suits short values; texts for several simultaneous writers are
 * rich texts.
 */
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
  /** the value in the editor */
  shown: string
  /** typed values that have not come back as `value` yet, oldest first */
  sent: string[]
}

/** A canonical form for comparing values. */
const print = (value: DynamicValue): string => JSON.stringify(nodesToDynamic(dynamicToNodes(value)))

/**
 * Whether the value was typed here. A fast typist is ahead of the `value` that comes back, which must not replace the
 * text. Any other value comes from outside, and is shown.
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

/** Shows a value changed by undo or somebody else; the cursor moves to the end. */
function replaceAll(editor: Editor, value: DynamicValue): void {
  Editor.withoutNormalizing(editor, () => {
    for (const _ of [...editor.children]) Transforms.removeNodes(editor, { at: [0] })
    Transforms.insertNodes(editor, dynamicToNodes(value), { at: [0] })
  })
  Transforms.select(editor, Editor.end(editor, []))
}
