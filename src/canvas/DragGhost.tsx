import { useCanvasState, useEditor, useKindTexts, useProjection } from './context'
import styles from './DragGhost.module.css'
import { iconOf } from './kindFaces'

/** The dragged block at the pointer. The drag moves it without rendering (blockDrag.ts). */
export function DragGhost() {
  const { registry } = useEditor()
  const kinds = useKindTexts()
  const what = useCanvasState((state) => state.drag?.what)
  const first = what && 'blockIds' in what ? what.blockIds[0] : undefined
  const kind = useProjection((projection) =>
    what && 'kind' in what ? what.kind : first === undefined ? undefined : projection.blocks.get(first)?.kind,
  )
  const definition = registry.find(kind ?? '')
  const Icon = iconOf(kind ?? '')
  const more = what && 'blockIds' in what ? what.blockIds.length - 1 : 0
  return (
    <div className={styles.ghost} data-drag-ghost data-shown={what !== undefined || undefined} aria-hidden>
      <span className={styles.icon} data-category={definition?.category}>
        <Icon size={15} />
      </span>
      {kinds.title(kind ?? '')}
      {more > 0 && <span className={styles.more}>+{more}</span>}
    </div>
  )
}
