import { FileUp, LayoutTemplate, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button'
import { useActionList } from './actionRegistry'
import { addGroup, createBlock } from './actions'
import { useView } from './adapter'
import { useEditor, useKindTexts, useProjection } from './context'
import styles from './EmptyCanvas.module.css'
import { openBlock } from './editing/openBlock'
import { metrics, snap } from './geometry'

/** Shown for a flow without groups: the ways to start. */
export function EmptyCanvas({ onImport }: { onImport: (() => void) | null }) {
  const editor = useEditor()
  const view = useView()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const template = useActionList().find(({ id }) => id === 'insertTemplate')
  const begin = () => {
    const trigger = editor.registry.kinds.find(({ category, inPalette }) => category === 'trigger' && inPalette)
    const message = editor.registry.kinds.find(({ category, inPalette }) => category === 'bubble' && inPalette)
    if (!trigger || !message) return
    const centre = view.centre()
    const at = { x: snap(centre.x - metrics.width - 60), y: snap(centre.y - 80) }
    const start = createBlock(editor, trigger.kind)
    const first = createBlock(editor, message.kind)
    editor.document.commands.batch(() => {
      addGroup(editor, kinds.title(trigger.kind), at, [start])
      const port = trigger.ports(start.data)[0]
      const from = port && { blockId: start.id, portId: port.id }
      addGroup(editor, t('empty.firstGroup'), { x: at.x + metrics.width + 104, y: at.y }, [first], from)
    })
    openBlock(editor.store, first.id)
  }
  return (
    <div className={styles.empty}>
      <h2>{t('empty.title')}</h2>
      <p>{t(editor.readOnly ? 'empty.readOnly' : 'empty.text')}</p>
      {!editor.readOnly && (
        <div className={styles.ways}>
          <Button design="primary" icon={<Play size={14} />} onClick={begin}>
            {t('empty.begin')}
          </Button>
          {template && (
            <Button icon={<LayoutTemplate size={14} />} onClick={template.run}>
              {t('empty.template')}
            </Button>
          )}
          {onImport && (
            <Button icon={<FileUp size={14} />} onClick={onImport}>
              {t('empty.import')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Shown beside a lone start block, as in every new chatbot: what to do next. Only its buttons receive clicks. */
export function FirstStep({ onImport }: { onImport: (() => void) | null }) {
  const { readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const template = useActionList().find(({ id }) => id === 'insertTemplate')
  if (readOnly) return null
  return (
    <div className={styles.first} role="note">
      <p>{t('empty.next')}</p>
      <div className={styles.ways}>
        {template && (
          <Button size="s" icon={<LayoutTemplate size={14} />} onClick={template.run}>
            {t('empty.template')}
          </Button>
        )}
        {onImport && (
          <Button size="s" icon={<FileUp size={14} />} onClick={onImport}>
            {t('empty.import')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Whether a flow consists only of unconnected triggers. */
export function useIsUnbegun(): boolean {
  const { registry } = useEditor()
  return useProjection(
    ({ groups, blocks, edges }) =>
      groups.size > 0 &&
      edges.size === 0 &&
      [...blocks.values()].every(({ kind }) => registry.find(kind)?.category === 'trigger'),
  )
}
