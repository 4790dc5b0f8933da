import { Bold, Italic, Link, Underline } from 'lucide-react'
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
import type { Mark } from './model'
import styles from './text.module.css'

const buttons: readonly { mark: Mark; icon: typeof Bold; key: string }[] = [
  { mark: 'bold', icon: Bold, key: 'B' },
  { mark: 'italic', icon: Italic, key: 'I' },
  { mark: 'underline', icon: Underline, key: 'U' },
]

/** Marks and links of the editor around it. A press leaves focus and selection in the text. */
export function TextToolbar() {
  const { t } = useTranslation('text')
  const editor = useSlate()
  const [linkAt, setLinkAt] = useState<DOMRect | null>(null)
  const link = currentLink(editor)
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
      <IconButton
        size="s"
        label={t('link')}
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
