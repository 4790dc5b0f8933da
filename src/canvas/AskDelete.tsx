import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { deleteSelection, unknownSelected } from './actions'
import { useCanvasState, useEditor } from './context'

/** Asks before blocks of unknown kinds are deleted, since their content can't be shown here. */
export function AskDelete() {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  const opened = useCanvasState((state) => state.askDelete)
  const close = () => editor.store.setState({ askDelete: false })
  return (
    <ConfirmDialog
      opened={opened}
      title={t('unknown.deleteTitle')}
      message={t('unknown.deleteQuestion', { count: opened ? unknownSelected(editor) : 0 })}
      confirm={t('unknown.deleteConfirm')}
      danger
      onClose={close}
      onConfirm={() => {
        close()
        deleteSelection(editor, true)
      }}
    />
  )
}
