import { CopyPlus, PanelRightClose, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteSelection } from '../../canvas/actions'
import { nothingSelected } from '../../canvas/canvasStore'
import { usePasting } from '../../canvas/clipboard/usePasting'
import { useEditor } from '../../canvas/context'
import { IconButton } from '../../ui/IconButton'
import styles from './Inspector.module.css'

/** The title of the settings, with actions on the selection. */
export function InspectorHeader({ icon, title, help }: { icon?: ReactNode; title: string; help: string }) {
  const editor = useEditor()
  const pasting = usePasting()
  const { t } = useTranslation('builder')
  return (
    <header className={styles.header}>
      <div className={styles.titleRow}>
        {icon}
        <h2>{title}</h2>
        {!editor.readOnly && (
          <>
            <IconButton
              size="s"
              label={t('panel.duplicate')}
              icon={<CopyPlus size={15} />}
              onClick={pasting.duplicate}
            />
            <IconButton
              size="s"
              label={t('panel.delete')}
              icon={<Trash2 size={15} />}
              onClick={() => deleteSelection(editor)}
            />
          </>
        )}
        <IconButton
          size="s"
          label={t('panel.close')}
          icon={<PanelRightClose size={15} />}
          onClick={() => editor.store.setState({ selection: nothingSelected })}
        />
      </div>
      {help && <p className={styles.hint}>{help}</p>}
    </header>
  )
}
