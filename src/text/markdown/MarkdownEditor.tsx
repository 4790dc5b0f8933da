import { type KeyboardEvent, type Ref, useCallback, useId, useImperativeHandle, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Editor, Transforms } from 'slate'
import { Editable, ReactEditor, type RenderElementProps, type RenderLeafProps, Slate } from 'slate-react'
import { formatNumber } from '../../i18n/format'
import { toggleMark } from '../createTextEditor'
import { indent } from '../lists'
import { marked } from '../RichTextView'
import texts from '../text.module.css'
import { blocksOf, createMarkdownEditor, insertMarkdown, toggleItems } from './createMarkdownEditor'
import { keepHistory } from './history'
import { MarkdownToolbar } from './MarkdownToolbar'
import { type MarkdownBlock, readMarkdown, writeMarkdown } from './markdown'
import styles from './markdown.module.css'

/** The editor's content. It is converted to Markdown on demand: a long text must not be converted at every key. */
export interface MarkdownText {
  blocks: readonly MarkdownBlock[]
  /** characters without Markdown syntax */
  length: number
}

/** The editor's initial content from Markdown. */
export function markdownText(markdown: string): MarkdownText {
  const blocks = readMarkdown(markdown)
  return { blocks, length: lengthOf(blocks) }
}

export const markdownOf = ({ blocks }: MarkdownText): string => writeMarkdown(blocks)

/** What its surroundings do with the text that is being written. */
export interface MarkdownHandle {
  /** puts Markdown in place of the selection, at the end of the text if it had none */
  insert: (markdown: string) => void
  /** focuses the text, its selection as it was */
  focus: () => void
}

export interface MarkdownEditorProps {
  ref?: Ref<MarkdownHandle>
  label: string
  /** initial Markdown; to change it, change the `key` */
  initial: string
  onChange: (text: MarkdownText) => void
  max: number
  placeholder?: string
  /** small: the label is for screen readers alone, and the count shows once there is too much */
  compact?: boolean
  error?: string | undefined
}

/** A rich text stored as Markdown: headings, bold, italic, lists, links. */
export function MarkdownEditor({
  ref,
  label,
  initial,
  onChange,
  max,
  placeholder,
  compact,
  error,
}: MarkdownEditorProps) {
  const { t } = useTranslation('text')
  const id = useId()
  const [{ editor, history, start }] = useState(() => begin(initial))
  const [length, setLength] = useState(() => lengthOf(start))
  const [linkAt, setLinkAt] = useState<DOMRect | null>(null)
  useImperativeHandle(
    ref,
    () => ({
      insert: (markdown) => insertMarkdown(editor, markdown),
      focus: () => ReactEditor.focus(editor),
    }),
    [editor],
  )

  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    if (event.key === 'Tab' && !event.altKey && !event.ctrlKey && !event.metaKey) {
      // if nothing can be indented, Tab leaves the field, so that it is no keyboard trap
      if (indent(editor, event.shiftKey ? -1 : 1)) event.preventDefault()
      return
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const list = event.shiftKey ? listKeys[event.code] : undefined
    const mark = event.shiftKey ? undefined : markKeys[key]
    const undoes = key === 'z' && !event.shiftKey
    const redoes = key === 'y' || (key === 'z' && event.shiftKey)
    if (!(list || mark || undoes || redoes || key === 'k')) return
    event.preventDefault()
    if (list) toggleItems(editor, list)
    else if (mark) toggleMark(editor, mark)
    else if (undoes) history.undo()
    else if (redoes) history.redo()
    else setLinkAt(cursorRect(editor))
  }

  return (
    <div className={styles.field} data-compact={compact || undefined}>
      <span className={styles.label} id={`${id}-label`}>
        {label}
      </span>
      <Slate
        editor={editor}
        initialValue={start}
        onValueChange={(value) => {
          const blocks = blocksOf(value)
          const now = lengthOf(blocks)
          setLength(now)
          onChange({ blocks, length: now })
        }}
      >
        <div className={styles.frame} data-error={error !== undefined || undefined}>
          <MarkdownToolbar history={history} linkAt={linkAt} onLink={setLinkAt} />
          <Editable
            className={styles.text}
            role="textbox"
            aria-labelledby={`${id}-label`}
            aria-multiline
            aria-invalid={error !== undefined || undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            placeholder={placeholder ?? ''}
            renderPlaceholder={({ attributes, children }) => (
              <span {...attributes} className={styles.placeholder} style={undefined}>
                {children}
              </span>
            )}
            spellCheck
            renderElement={renderElement}
            renderLeaf={useCallback(
              ({ attributes, children, leaf }: RenderLeafProps) => (
                <span {...attributes}>{marked(leaf, children, noName)}</span>
              ),
              [],
            )}
            onKeyDown={onKeyDown}
          />
        </div>
      </Slate>
      <div className={styles.foot}>
        {error !== undefined && (
          <span className={styles.error} id={`${id}-error`} role="alert">
            {error}
          </span>
        )}
        <span className={styles.count} data-over={length > max || undefined}>
          {t('count', { length: formatNumber(length), max: formatNumber(max) })}
        </span>
      </div>
    </div>
  )
}

function begin(initial: string) {
  const editor = createMarkdownEditor()
  const blocks = readMarkdown(initial)
  const start: MarkdownBlock[] = blocks.length > 0 ? blocks : [{ type: 'paragraph', children: [{ text: '' }] }]
  return { editor, history: keepHistory(editor), start }
}

const noName = () => undefined
const markKeys: Readonly<Record<string, 'bold' | 'italic'>> = { b: 'bold', i: 'italic' }
const listKeys: Readonly<Record<string, 'bullet' | 'number'>> = { Digit8: 'bullet', Digit7: 'number' }

const renderElement = ({ attributes, children, element }: RenderElementProps) =>
  element.type === 'variable' ? (
    <span {...attributes}>{children}</span>
  ) : (
    <div
      {...attributes}
      className={texts.paragraph}
      data-list={element.list}
      data-level={element.level}
      data-heading={element.heading}
    >
      {children}
    </div>
  )

const lengthOf = (blocks: readonly MarkdownBlock[]) =>
  blocks.reduce((sum, { children }) => children.reduce((inner, { text }) => inner + text.length, sum), 0)

/** Where a link's form opens: at the selection, or at the whole text if that has no rectangle. */
function cursorRect(editor: Editor): DOMRect {
  const selection = window.getSelection()
  const range = selection && ReactEditor.toSlateRange(editor, selection, { exactMatch: false, suppressThrow: true })
  // slate-react learns of a selection late: use the browser's
  if (range) Transforms.select(editor, range)
  const rect = selection?.rangeCount ? selection.getRangeAt(0).getBoundingClientRect() : null
  return rect && rect.height > 0 ? rect : ReactEditor.toDOMNode(editor, editor).getBoundingClientRect()
}
