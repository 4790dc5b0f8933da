import { Bold, ExternalLink, Italic, Link, List, ListOrdered, Underline } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Transforms } from 'slate'
import { ReactEditor, useSlate } from 'slate-react'
import { caps } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'
import { isExternalUrl } from '../../engine/values/url'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { TextField } from '../ui/TextField'
import { currentLink, hasMark, setLink, toggleMark } from './createTextEditor'
import { FloatingPanel } from './FloatingPanel'
import { currentList, toggleList } from './lists'
import type { Mark } from './model'
import styles from './text.module.css'

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

/** Marks, lists and links of the editor around it. A press leaves focus and selection in the text. */
export function TextToolbar({ linkAt, onLink: setLinkAt }: TextToolbarProps) {
  const { t } = useTranslation('text')
  const editor = useSlate()
  const link = currentLink(editor)
  const list = currentList(editor)
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
          active={hasMark(editor, mark)}
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
            onApply={(url) => {
              const selection = editor.selection
              back()
              if (selection) Transforms.select(editor, selection)
              setLink(editor, url)
            }}
          />
        </FloatingPanel>
      )}
    </>
  )
}

/** Null from `onApply` takes the link away. */
function LinkForm({
  link,
  onApply,
  onCancel,
}: {
  link: string
  onApply: (url: string | null) => void
  onCancel: () => void
}) {
  const { t } = useTranslation('text')
  const [url, setUrl] = useState(link)
  const [error, setError] = useState<string | null>(null)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const wanted = url.trim()
    if (wanted === '') onApply(null)
    else if (!isExternalUrl(wanted)) setError(ruleMessages.url)
    else if (wanted.length > caps.url) setError(t('tooLong', { n: caps.url }))
    else onApply(wanted)
  }
  return (
    <form className={styles.linkForm} onSubmit={apply} noValidate>
      <TextField
        aria-label={t('linkAddress')}
        placeholder="https://"
        value={url}
        error={error}
        autoFocus
        onChange={(event) => {
          setUrl(event.currentTarget.value)
          setError(null)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onCancel()
        }}
      />
      <div className={styles.linkActions}>
        {link !== '' && (
          <>
            <a className={styles.linkOpen} href={link} target="_blank" rel="noreferrer noopener">
              <ExternalLink size={13} aria-hidden /> {t('linkOpen')}
            </a>
            <Button design="ghost" size="s" onClick={() => onApply(null)}>
              {t('linkRemove')}
            </Button>
          </>
        )}
        <Button design="primary" size="s" type="submit">
          {t('linkApply')}
        </Button>
      </div>
    </form>
  )
}
