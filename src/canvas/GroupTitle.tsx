import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { flowCaps } from '../../engine/flow/schema'
import { tooLong } from '../../engine/values/caps'
import { useCanvasState, useEditor } from './context'
import styles from './GroupTitle.module.css'

/** The group's title: its drag handle, and a field after a double click. */
export function GroupTitle({ groupId, title }: { groupId: string; title: string }) {
  const { store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const editing = useCanvasState((state) => state.editingTitle === groupId)
  if (editing && !readOnly) return <TitleField groupId={groupId} title={title} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: F2 on the group does the same by keyboard
    <div className={styles.title} title={title} onDoubleClick={() => store.setState({ editingTitle: groupId })}>
      {title || <span className={styles.untitled}>{t('canvas.untitled')}</span>}
    </div>
  )
}

function TitleField({ groupId, title }: { groupId: string; title: string }) {
  const { document, store } = useEditor()
  const { t } = useTranslation('builder')
  const cancelled = useRef(false)
  const [typed, setTyped] = useState(title)
  const isLong = typed.trim().length > flowCaps.groupTitle
  const close = () => store.setState({ editingTitle: null })
  return (
    <>
      <input
        data-field={`${groupId}/title`}
        className={`${styles.field} nodrag nopan`}
        aria-label={t('canvas.groupTitle')}
        defaultValue={title}
        aria-invalid={isLong || undefined}
        aria-describedby={isLong ? `${groupId}-title-problem` : undefined}
        onInput={(event) => setTyped(event.currentTarget.value)}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this title
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') cancelled.current = true
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        }}
        onBlur={(event) => {
          const next = event.currentTarget.value.trim()
          // too long: stays open to be shortened
          if (!cancelled.current && next.length > flowCaps.groupTitle) return
          if (!cancelled.current && next !== title) document.commands.setGroupTitle(groupId, next)
          close()
        }}
      />
      {isLong && (
        <span id={`${groupId}-title-problem`} className={styles.problem} role="alert">
          {`${tooLong(flowCaps.groupTitle)} (${typed.trim().length})`}
        </span>
      )}
    </>
  )
}
