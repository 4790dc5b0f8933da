import { Bold, Italic, Link, List, ListOrdered, Underline } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Editor, Transforms } from 'slate'
import { ReactEditor, useSlateSelector, useSlateStatic } from 'slate-react'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { currentLink, hasMark, setLink, toggleMark } from './createTextEditor'
import { FloatingPanel } from './FloatingPanel'
import { LinkForm } from './LinkForm'
import { currentList, toggleList } from './lists'
import type { Mark } from './model'

const buttons: readonly { mark: Mark; icon: typeof Bold; key: string }[] = [
  { mark: 'bold', icon: Bold, key: 'B' },
  { mark: 'italic', icon: Italic, key: 'I' },
  { mark: 'underline', icon: Underline, key: 'U' },
]

const lists = [
  { list: 'bullet', icon: List, key: '8', label: 'bulletList' },
  { list: 'number', icon: ListOrdered, key: '7', label: 'numberList' },
] as const

export interface TextToolbarProps {
  /** where the form for a link's address is open */
  linkAt: DOMRect | null
  onLink: (at: DOMRect | null) => void
}

/**
 * Formatting, lists and links of the surrounding editor. Pressing a button keeps the text's focus and selection.
 * Memoised, since most keys don't change it.
 */
export const TextToolbar = memo(function TextToolbar({ linkAt, onLink: setLinkAt }: TextToolbarProps) {
  const { t } = useTranslation('text')
  const editor = useSlateStatic()
  const { link, list, ...marks } = useSlateSelector(lookAtCursor, sameLook)
  const back = () => {
    setLinkAt(null)
    ReactEditor.focus(editor)
  }
  return (
    <>
      {buttons.map(({ mark, icon: Icon, key }) => (
        <IconButton
          key={mark}
          size="s"
          label={t(mark)}
          keys={<KeyHint keys={['Ctrl', key]} />}
          active={marks[mark]}
          icon={<Icon size={14} />}
          onMouseDown={(event) => {
            event.preventDefault()
            toggleMark(editor, mark)
          }}
        />
      ))}
      {lists.map(({ list: kind, icon: Icon, key, label }) => (
        <IconButton
          key={kind}
          size="s"
          label={t(label)}
          keys={<KeyHint keys={['Ctrl', 'Shift', key]} />}
          active={list === kind}
          icon={<Icon size={14} />}
          onMouseDown={(event) => {
            event.preventDefault()
            toggleList(editor, kind)
          }}
        />
      ))}
      <IconButton
        size="s"
        label={t('link')}
        keys={<KeyHint keys={['Ctrl', 'K']} />}
        active={link !== undefined}
        icon={<Link size={14} />}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => setLinkAt(event.currentTarget.getBoundingClientRect())}
      />
      {linkAt && (
        <FloatingPanel at={linkAt} onLeave={() => setLinkAt(null)}>
          <LinkForm
            link={link ?? ''}
            onCancel={back}
            onApply={(wanted) => {
              const selection = editor.selection
              back()
              if (selection) Transforms.select(editor, selection)
              setLink(editor, wanted)
            }}
          />
        </FloatingPanel>
      )}
    </>
  )
})

const lookAtCursor = (editor: Editor) => ({
  bold: hasMark(editor, 'bold'),
  italic: hasMark(editor, 'italic'),
  underline: hasMark(editor, 'underline'),
  link: currentLink(editor),
  list: currentList(editor),
})

type Look = ReturnType<typeof lookAtCursor>

const sameLook = (a: Look | null, b: Look) =>
  a !== null && (Object.keys(b) as (keyof Look)[]).every((key) => a[key] === b[key])
