import { useTranslation } from 'react-i18next'
import { addByClick } from './actions'
import { useView } from './adapter'
import { useKindGrab } from './blockDrag'
import { useEditor, useKindTexts } from './context'
import { metrics } from './geometry'
import { KindList } from './KindList'

/** The block palette: drag a block to the canvas or into a group, or click to add it at the current position. */
export function Palette({ onAdded }: { onAdded?: () => void }) {
  const editor = useEditor()
  const view = useView()
  const kinds = useKindTexts()
  const grab = useKindGrab()
  const { t } = useTranslation('builder')
  return (
    <section style={{ display: 'contents' }} aria-label={t('palette.label')}>
      <KindList
        disabled={editor.readOnly}
        onGrab={grab}
        onChoose={(kind) => {
          const centre = view.centre()
          addByClick(editor, kind, kinds.title(kind), { x: centre.x - metrics.width / 2, y: centre.y - 60 })
          onAdded?.()
        }}
      />
    </section>
  )
}
