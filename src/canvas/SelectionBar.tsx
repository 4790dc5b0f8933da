import { CopyPlus, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { useProvideActions } from './actionRegistry'
import { deleteSelection } from './actions'
import { useViewport } from './adapter'
import { arrangeActions, nudgeActions } from './arrangeActions'
import { usePasting } from './clipboard/usePasting'
import { useCanvasState, useEditor, useProjection } from './context'
import type { Box, Point } from './geometry'
import { boxesOf } from './groupBoxes'
import { keyCaps } from './keyboard/chord'
import styles from './SelectionBar.module.css'
import { around } from './scene'
import type { Seen } from './windowing'

/** A bar with actions for several selected groups, above them, or below if there is no room. */
export function SelectionBar() {
  const editor = useEditor()
  const actions = useMemo(() => arrangeActions(editor), [editor])
  useProvideActions(useMemo(() => [...actions, ...nudgeActions(editor)], [editor, actions]))
  const count = useCanvasState(({ selection }) => selection.blocks.size + selection.groups.size)
  const busy = useCanvasState(({ moving, sketch, drag }) => moving.size > 0 || sketch !== null || drag !== null)
  return count < 2 || busy ? null : <Bar count={count} actions={actions} />
}

function Bar({ count, actions }: { count: number; actions: ReturnType<typeof arrangeActions> }) {
  const editor = useEditor()
  const pasting = usePasting()
  const { t } = useTranslation('builder')
  const groups = useCanvasState(({ selection }) => selection.groups.size)
  const bar = useRef<HTMLDivElement>(null)
  usePlaceBeside(bar)
  const lastOf = ['alignRight', 'alignBottom', 'distributeY']
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={t('selection.label')}>
      <span role="status">{t('selection.count', { count })}</span>
      {!editor.readOnly && (
        <>
          {groups > 1 &&
            actions.map(({ id, icon: Icon, keys, enabled, run }) => (
              <span key={id} className={styles.part}>
                <IconButton
                  size="s"
                  label={t(`actions.${id}`)}
                  keys={keys?.[0] && <KeyHint keys={keyCaps(keys[0])} />}
                  icon={Icon && <Icon size={15} />}
                  disabled={enabled?.() === false}
                  onClick={run}
                />
                {lastOf.includes(id) && <span className={styles.rule} aria-hidden />}
              </span>
            ))}
          {groups > 1 && <span className={styles.rule} aria-hidden />}
          <IconButton size="s" label={t('menu.duplicate')} icon={<CopyPlus size={15} />} onClick={pasting.duplicate} />
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

const GAP = 12
/** the height of the tools at the bottom of the canvas */
const TOOLS = 64

/** Keeps the bar beside the selection without rendering while panning. */
function usePlaceBeside(bar: RefObject<HTMLDivElement | null>): void {
  const editor = useEditor()
  const viewport = useViewport()
  const selection = useCanvasState((state) => state.selection)
  const projection = useProjection((whole) => whole)
  const box = useMemo(() => {
    const ofBlocks = [...selection.blocks].flatMap((id) => projection.blocks.get(id)?.groupId ?? [])
    return around(boxesOf(editor, new Set([...selection.groups, ...ofBlocks])))
  }, [editor, selection, projection])
  useEffect(() => {
    const place = () => {
      const seen = viewport.seen()
      if (!bar.current || !box || !seen) return
      const { x, y } = beside(box, bar.current, seen)
      bar.current.style.translate = `${Math.round(x)}px ${Math.round(y)}px`
    }
    place()
    return viewport.subscribe(place)
  }, [bar, box, viewport])
}

/**
 * The bar's position in the canvas: above the box, otherwise below it, otherwise at the top; always completely visible.
 */
function beside(box: Box, { offsetWidth, offsetHeight }: HTMLElement, { area, zoom }: Seen): Point {
  const left = (box.x - area.x) * zoom
  const top = (box.y - area.y) * zoom
  const middle = left + (box.width * zoom) / 2 - offsetWidth / 2
  const over = top - GAP - offsetHeight
  const under = top + box.height * zoom + GAP
  const fits = (y: number) => y >= GAP && y + offsetHeight <= area.height * zoom - TOOLS
  return {
    x: Math.max(GAP, Math.min(middle, area.width * zoom - GAP - offsetWidth)),
    y: fits(over) ? over : fits(under) ? under : GAP,
  }
}
