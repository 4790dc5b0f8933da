import { Braces } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Descendant, Editor, Transforms } from 'slate'
import { Editable, ReactEditor, type RenderElementProps, type RenderLeafProps, Slate } from 'slate-react'
import type * as Y from 'yjs'
import { IconButton } from '../ui/IconButton'
import { CharacterCount } from './CharacterCount'
import type { CardField } from './cardField'
import { insertChip, toggleMark } from './createTextEditor'
import { FloatingPanel } from './FloatingPanel'
import { nameOfVariable, useFlowScope, useVariableLookup } from './flowScope'
import { indent, toggleList } from './lists'
import type { ChipElement, Mark } from './model'
import { RemoteCarets } from './RemoteCarets'
import { Chip, marked } from './RichTextView'
import styles from './text.module.css'
import { VariablePicker } from './VariablePicker'

/** An editor that exists while its field has the focus. */
export interface TextSession {
  editor: Editor
  initial: Descendant[]
  /** called after it is rendered; returns disconnect */
  connect: () => () => void
  onChange?: () => void
  undo: () => void
  redo: () => void
  /** a text of the document with its id there, for peers' carets */
  shared?: { text: Y.XmlText; place: string }
  /** whether the project's secrets can be inserted */
  secrets?: boolean
}

export type Toolbar = ComponentType<{
  /** where the form for a link's address is open */
  linkAt: DOMRect | null
  onLink: (at: DOMRect | null) => void
}>

export interface TextSurfaceProps {
  session: TextSession
  label: string
  placeholder?: string
  /**
   * formatting, lists and links; passed in, because a link's address is such a field itself; without it the text is
   * plain
   */
  toolbar?: Toolbar
  singleLine: boolean
  length: number
  max: number
  describedBy?: string
  invalid: boolean
  /** the press that activated the field; without it the cursor is at the end */
  point?: { x: number; y: number }
  /** opens the variable picker at once */
  pick?: boolean
  /** it is on a card of the canvas */
  card?: CardField | undefined
}

/** Slate with chips, their picker, and the bar below. */
export function TextSurface(props: TextSurfaceProps) {
  const { session, toolbar: Toolbar, singleLine, point, pick, card } = props
  const formatting = Toolbar !== undefined
  const { editor } = session
  const { nameOf } = useVariableLookup()
  const [ready, setReady] = useState(false)
  const [linkAt, setLinkAt] = useState<DOMRect | null>(null)
  const [picker, setPicker] = useState<{ at: DOMRect; typed: boolean } | null>(null)

  useLayoutEffect(() => {
    const disconnect = session.connect()
    setReady(true)
    return disconnect
  }, [session])

  // biome-ignore lint/correctness/useExhaustiveDependencies: places the cursor once
  useLayoutEffect(() => {
    if (!ready) return
    // the picker focuses itself; Slate delays focusing while it has pending changes, so focus first
    if (!pick) ReactEditor.focus(editor)
    const all = card?.all && Editor.range(editor, [])
    Transforms.select(editor, all || ((point && rangeAt(editor, point)) ?? Editor.end(editor, [])))
    const typed = card?.typed()
    if (typed) Editor.insertText(editor, typed)
    if (pick) setPicker({ at: ReactEditor.toDOMNode(editor, editor).getBoundingClientRect(), typed: false })
  }, [ready])

  useEffect(() => {
    const text = ReactEditor.toDOMNode(editor, editor)
    // Slate ignores a blur while it sets its selection, and would take the focus back from the picker
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !text.contains(relatedTarget)) ReactEditor.blur(editor)
    }
    text.addEventListener('focusout', leave)
    return () => text.removeEventListener('focusout', leave)
  }, [editor])

  const openPicker = (typed: boolean) => setPicker({ at: cursorRect(editor), typed })
  const pickVariable = useCallback(() => setPicker({ at: cursorRect(editor), typed: false }), [editor])
  const closePicker = (text: string) => {
    setPicker(null)
    ReactEditor.focus(editor)
    if (text !== '') Editor.insertText(editor, text)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    const mark = shortcuts[key]
    if (singleLine && event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault()
    if (event.key === 'Tab' && formatting && !event.altKey && !event.ctrlKey && !event.metaKey) {
      // if nothing can be indented, Tab leaves the field, so that it is no keyboard trap
      if (indent(editor, event.shiftKey ? -1 : 1)) return event.preventDefault()
    }
    if (card && !event.nativeEvent.isComposing && card.onKey(event, isEmpty(editor))) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const list = formatting && event.shiftKey ? listKeys[event.code] : undefined
    if (list) {
      event.preventDefault()
      toggleList(editor, list)
    }
    if (key === 'k' && !event.shiftKey && formatting) {
      // the builder's palette uses the same key; in a text it is for links
      event.preventDefault()
      event.stopPropagation()
      // slate-react learns of a selection up to 100 ms late: use the browser's
      const selected = window.getSelection()
      const range = selected && ReactEditor.toSlateRange(editor, selected, { exactMatch: false, suppressThrow: true })
      if (range) Transforms.select(editor, range)
      setLinkAt(cursorRect(editor))
    }
    const history = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : null
    if (history) {
      event.preventDefault()
      // otherwise the builder's own undo would run, too
      event.stopPropagation()
      session[history]()
    }
    if (!mark || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    if (formatting) toggleMark(editor, mark)
  }

  const renderElement = useCallback(
    ({ attributes, children, element }: RenderElementProps) =>
      element.type === 'variable' ? (
        <span {...attributes} contentEditable={false} className={styles.chipAnchor}>
          {marked(element, <ChipOf element={element} />, nameOf)}
          {children}
        </span>
      ) : (
        <div {...attributes} className={styles.paragraph} data-list={element.list} data-level={element.level}>
          {children}
        </div>
      ),
    [nameOf],
  )
  const renderLeaf = useCallback(
    ({ attributes, children, leaf }: RenderLeafProps) => <span {...attributes}>{marked(leaf, children, nameOf)}</span>,
    [nameOf],
  )

  return (
    <Slate editor={editor} initialValue={session.initial} onValueChange={session.onChange}>
      <div className={styles.surface}>
        <Editable
          className={styles.text}
          data-single-line={singleLine || undefined}
          aria-label={props.label}
          aria-multiline={!singleLine}
          aria-invalid={props.invalid || undefined}
          aria-describedby={props.describedBy}
          role="textbox"
          placeholder={props.placeholder}
          renderPlaceholder={({ attributes, children }) => (
            <span {...attributes} className={styles.placeholder} style={undefined}>
              {children}
            </span>
          )}
          spellCheck
          {...(card && { scrollSelectionIntoView: scrollWithin })}
          renderElement={renderElement}
          renderLeaf={renderLeaf}
          onKeyDown={onKeyDown}
          onDOMBeforeInput={(event) => {
            if (event.inputType !== 'insertText' || event.data !== '{') return
            event.preventDefault()
            openPicker(true)
          }}
        />
        {ready && session.shared && <RemoteCarets {...session.shared} />}
      </div>
      <div className={styles.bar}>
        {Toolbar && <Toolbar linkAt={linkAt} onLink={setLinkAt} />}
        <InsertVariable onClick={pickVariable} />
        <CharacterCount length={props.length} max={props.max} />
      </div>
      {picker && (
        <FloatingPanel at={picker.at} onLeave={() => closePicker(picker.typed ? '{' : '')}>
          <VariablePicker
            closingBrace={picker.typed}
            onCancel={(typed) => closePicker(picker.typed ? `{${typed}` : '')}
            system
            parts
            secrets={session.secrets}
            onPick={(variableId, path) => {
              closePicker('')
              insertChip(editor, variableId, path)
            }}
          />
        </FloatingPanel>
      )}
    </Slate>
  )
}

/** Not rendered again while typing. */
const InsertVariable = memo(function InsertVariable({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('text')
  return (
    <IconButton
      size="s"
      label={t('insertVariable')}
      icon={<Braces size={14} />}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    />
  )
})

const shortcuts: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', u: 'underline' }

const listKeys: Readonly<Record<string, 'bullet' | 'number'>> = { Digit8: 'bullet', Digit7: 'number' }

function ChipOf({ element }: { element: ChipElement }) {
  const { variables } = useFlowScope()
  const { variable_id: wanted, path } = element
  return <Chip name={nameOfVariable(wanted, variables)} path={path} />
}

/** Neither characters nor chips. */
const isEmpty = (editor: Editor): boolean => {
  const [line, ...others] = editor.children
  return others.length === 0 && line !== undefined && 'children' in line && Editor.isEmpty(editor, line)
}

/** Scrolls only the text: the canvas moves what is around a card. */
function scrollWithin(editor: Editor, range: globalThis.Range): void {
  const surface = ReactEditor.toDOMNode(editor, editor)
  const around = surface.getBoundingClientRect()
  const { top, bottom, height } = range.getBoundingClientRect()
  if (height === 0) return
  if (bottom > around.bottom) surface.scrollTop += bottom - around.bottom
  else if (top < around.top) surface.scrollTop -= around.top - top
}

/** The cursor's screen position; an empty line has no rectangle, so that of the text is used. */
function cursorRect(editor: Editor): DOMRect {
  const selection = window.getSelection()
  const rect = selection?.rangeCount ? selection.getRangeAt(0).getBoundingClientRect() : null
  if (rect && rect.height > 0) return rect
  const element = selection?.anchorNode instanceof Element ? selection.anchorNode : selection?.anchorNode?.parentElement
  const line = element?.closest('[data-slate-node="element"]')
  return (line ?? ReactEditor.toDOMNode(editor, editor)).getBoundingClientRect()
}

function rangeAt(editor: Editor, { x, y }: { x: number; y: number }) {
  const range = document.caretRangeFromPoint(x, y)
  return range && ReactEditor.hasDOMNode(editor, range.startContainer)
    ? ReactEditor.toSlateRange(editor, range, { exactMatch: false, suppressThrow: true })
    : null
}
