import { Bold, Heading1, Heading2, Heading3, Italic, Link, List, ListOrdered, Redo2, Undo2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Range, Transforms } from 'slate'
import { ReactEditor, useSlate } from 'slate-react'
import { linkProblem, readLink } from '../../../engine/values/linkAddress'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { KeyHint } from '../../ui/KeyHint'
import { TextField } from '../../ui/TextField'
import { currentLink, hasMark, setLink, toggleMark } from '../createTextEditor'
import { FloatingPanel } from '../FloatingPanel'
import { currentList } from '../lists'
import { currentHeading, type Heading, toggleHeading, toggleItems } from './createMarkdownEditor'
import type { History } from './history'
import styles from './markdown.module.css'

const headings: readonly { heading: Heading; icon: typeof Bold }[] = [
  { heading: 1, icon: Heading1 },
  { heading: 2, icon: Heading2 },
  { heading: 3, icon: Heading3 },
]
const marks = [
  { mark: 'bold', icon: Bold, key: 'B' },
  { mark: 'italic', icon: Italic, key: 'I' },
] as const
const lists = [
  { list: 'bullet', icon: List, key: '8', label: 'bulletList' },
  { list: 'number', icon: ListOrdered, key: '7', label: 'numberList' },
] as const

interface MarkdownToolbarProps {
  history: History
  /** where the form for a link's address is open */
  linkAt: DOMRect | null
  onLink: (at: DOMRect | null) => void
}

/** The toolbar of the surrounding editor. Pressing a button keeps the text's focus and selection. */
export function MarkdownToolbar({ history, linkAt, onLink }: MarkdownToolbarProps) {
  const { t } = useTranslation('text')
  const editor = useSlate()
  const heading = currentHeading(editor)
  const list = currentList(editor)
  const link = currentLink(editor)
  const act = (deed: () => void) => {
    // keyboard users may not have had a cursor in the text yet
    if (!editor.selection) Transforms.select(editor, editor.end([]))
    deed()
  }
  const back = () => {
    onLink(null)
    ReactEditor.focus(editor)
  }
  const apply = (wanted: string | null) => {
    const { selection } = editor
    back()
    if (selection) Transforms.select(editor, selection)
    setLink(editor, wanted)
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('formatting')}>
      {headings.map(({ heading: level, icon: Icon }) => (
        <IconButton
          key={level}
          size="s"
          label={t(`heading${level}`)}
          active={heading === level}
          icon={<Icon />}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => act(() => toggleHeading(editor, level))}
        />
      ))}
      <span className={styles.rule} />
      {marks.map(({ mark, icon: Icon, key }) => (
        <IconButton
          key={mark}
          size="s"
          label={t(mark)}
          keys={<KeyHint keys={['Ctrl', key]} />}
          active={hasMark(editor, mark)}
          icon={<Icon />}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => act(() => toggleMark(editor, mark))}
        />
      ))}
      {lists.map(({ list: kind, icon: Icon, key, label }) => (
        <IconButton
          key={kind}
          size="s"
          label={t(label)}
          keys={<KeyHint keys={['Ctrl', 'Shift', key]} />}
          active={list === kind}
          icon={<Icon />}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => act(() => toggleItems(editor, kind))}
        />
      ))}
      <IconButton
        size="s"
        label={t('link')}
        keys={<KeyHint keys={['Ctrl', 'K']} />}
        active={link !== undefined}
        icon={<Link />}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          const at = event.currentTarget.getBoundingClientRect()
          act(() => onLink(at))
        }}
      />
      <span className={styles.rule} />
      <IconButton
        size="s"
        label={t('undo')}
        keys={<KeyHint keys={['Ctrl', 'Z']} />}
        icon={<Undo2 />}
        disabled={!history.canUndo()}
        onMouseDown={(event) => event.preventDefault()}
        onClick={history.undo}
      />
      <IconButton
        size="s"
        label={t('redo')}
        keys={<KeyHint keys={['Ctrl', 'Y']} />}
        icon={<Redo2 />}
        disabled={!history.canRedo()}
        onMouseDown={(event) => event.preventDefault()}
        onClick={history.redo}
      />
      {linkAt && (
        <FloatingPanel at={linkAt} onLeave={() => onLink(null)}>
          <AddressForm
            link={link ?? ''}
            hasWords={link !== undefined || (editor.selection !== null && Range.isExpanded(editor.selection))}
            onApply={apply}
            onCancel={back}
          />
        </FloatingPanel>
      )}
    </div>
  )
}

interface AddressFormProps {
  link: string
  /** otherwise the address becomes the link's text */
  hasWords: boolean
  onApply: (link: string | null) => void
  onCancel: () => void
}

function AddressForm({ link, hasWords, onApply, onCancel }: AddressFormProps) {
  const { t } = useTranslation('text')
  const [address, setAddress] = useState(link)
  const [error, setError] = useState<string | null>(null)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // in the React tree it is inside another form
    event.stopPropagation()
    const wanted = address.trim()
    const problem = wanted === '' ? null : linkProblem(readLink(wanted))
    if (problem !== null) setError(problem)
    else if (wanted === '' && !hasWords) onCancel()
    else onApply(wanted === '' ? null : wanted)
  }
  return (
    <form
      className={styles.linkForm}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
      noValidate
    >
      <TextField
        label={t('linkAddress')}
        placeholder="https://"
        value={address}
        maxLength={2048}
        error={error ?? undefined}
        ref={focusOnce}
        onChange={(event) => {
          setAddress(event.currentTarget.value)
          setError(null)
        }}
      />
      <div className={styles.linkActions}>
        {link !== '' && (
          <Button design="ghost" size="s" onClick={() => onApply(null)}>
            {t('linkRemove')}
          </Button>
        )}
        <Button design="primary" size="s" type="submit">
          {t('linkApply')}
        </Button>
      </div>
    </form>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
