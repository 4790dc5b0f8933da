import { CopyPlus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/IconButton'
import { deleteSelection, duplicateSelection } from './actions'
import { useCanvasState, useEditor } from './context'
import styles from './SelectionBar.module.css'

/** What can be done with several at once, over the canvas. */
export function SelectionBar() {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  const count = useCanvasState(({ selection }) => selection.blocks.size + selection.groups.size)
  if (count < 2) return null
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('selection.label')}>
      <span role="status">{t('selection.count', { count })}</span>
      {!editor.readOnly && (
        <>
          <IconButton
            size="s"
            label={t('menu.duplicate')}
            icon={<CopyPlus size={15} />}
            onClick={() => duplicateSelection(editor, t('canvas.newGroup'))}
          />
          <IconButton
            size="s"
            label={t('menu.delete')}
            icon={<Trash2 size={15} />}
            onClick={() => deleteSelection(editor)}
          />
        </>
      )}
    </div>
  )
}
