import type { TFunction } from 'i18next'
import { ArrowRight, Unplug } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { addAt, addInto, connect, placeFor } from './actions'
import styles from './BlockPicker.module.css'
import type { Picker } from './canvasStore'
import { type Editor, useCanvasState, useEditor, useGroupTitles, useKindTexts, useProjection } from './context'
import { addOnEdge } from './edgeInsert'
import { handleId, metrics, type Point, snap } from './geometry'
import { KindList } from './KindList'
import listStyles from './KindList.module.css'
import { announce } from './keyboard/announce'

const SIZE = { width: 252, height: 380 }
const GROUPS_SHOWN = 8

/**
 * The palette at the pointer: creates the next block of a port, connects the port to an existing group, or removes its
 * edge.
 */
export function BlockPicker() {
  const picker = useCanvasState((state) => state.picker)
  return picker && <OpenPicker key={`${picker.at.x},${picker.at.y}`} picker={picker} />
}

function OpenPicker({ picker }: { picker: Picker }) {
  const editor = useEditor()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const box = useRef<HTMLDivElement>(null)
  const close = () => editor.store.setState({ picker: null })
  useEffect(() => {
    const before = document.activeElement
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) editor.store.setState({ picker: null })
    }
    window.addEventListener('pointerdown', outside, true)
    return () => {
      window.removeEventListener('pointerdown', outside, true)
      const { activeElement } = document
      // the new block may have the focus already
      if (activeElement !== document.body && activeElement !== null) return
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [editor])
  return (
    <div
      ref={box}
      className={styles.picker}
      role="dialog"
      aria-label={t(picker.from ? 'picker.next' : 'picker.add')}
      style={{
        width: SIZE.width,
        height: SIZE.height,
        left: Math.max(8, Math.min(picker.at.x, window.innerWidth - SIZE.width - 8)),
        top: Math.max(8, Math.min(picker.at.y - 24, window.innerHeight - SIZE.height - 8)),
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <KindList
        autoFocus
        noTriggers={picker.from !== null || picker.into !== undefined}
        onChoose={(kind) => {
          close()
          const { into } = picker
          if (into) addInto(editor, kind, into.groupId, into.index)
          else if (picker.edge !== undefined) addOnEdge(editor, kind, kinds.title(kind), picker.edge)
          else addAt(editor, kind, kinds.title(kind), placeOf(editor, picker), picker.from ?? undefined)
          sayAdded(editor, kinds.title(kind), t)
        }}
        more={(search) => picker.from && <Connections from={picker.from} search={search} onDone={close} />}
      />
    </div>
  )
}

interface ConnectionsProps {
  from: NonNullable<Picker['from']>
  search: string
  onDone: () => void
}

function Connections({ from, search, onDone }: ConnectionsProps) {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  const groups = useGroupTitles()
  const connected = useProjection((projection) => projection.edges.has(handleId(from.blockId, from.portId)))
  const wanted = search.trim().toLowerCase()
  const found = groups.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, GROUPS_SHOWN)
  return (
    <>
      {found.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div role="group" className={listStyles.category} aria-label={t('picker.connect')}>
          <h2>{t('picker.connect')}</h2>
          {found.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              className={listStyles.kind}
              onClick={() => {
                connect(editor, from, { groupId: id })
                announce(editor.store, t('announce.connected', { to: title || t('canvas.untitled') }))
                onDone()
              }}
            >
              <span className={listStyles.icon} aria-hidden>
                <ArrowRight size={14} />
              </span>
              <span className={styles.title}>{title || t('canvas.untitled')}</span>
            </button>
          ))}
        </div>
      )}
      {connected && (
        <button
          type="button"
          className={`${listStyles.kind} ${styles.disconnect}`}
          onClick={() => {
            editor.document.commands.disconnect([from])
            announce(editor.store, t('announce.disconnected'))
            onDone()
          }}
        >
          <span className={listStyles.icon} aria-hidden>
            <Unplug size={14} />
          </span>
          {t('canvas.removeEdge')}
        </button>
      )}
    </>
  )
}

/** The new block is selected. */
function sayAdded({ document, store }: Editor, kind: string, t: TFunction<'builder'>): void {
  const [blockId] = store.getState().selection.blocks
  const { blocks, groups } = document.projection()
  const group = groups.get(blocks.get(blockId ?? '')?.groupId ?? '')
  if (!group) return
  announce(store, t('announce.added', { kind, group: group.title || t('canvas.untitled') }))
}

/** Where the new group goes: at the drop, otherwise in free space to the right of the port's group. */
function placeOf(editor: Editor, { flow, from }: Picker): Point {
  if (flow)
    return from ? { x: snap(flow.x), y: snap(flow.y - metrics.header / 2) } : { x: snap(flow.x), y: snap(flow.y) }
  const projection = editor.document.projection()
  const group = projection.groups.get(projection.blocks.get(from?.blockId ?? '')?.groupId ?? '')
  return placeFor(
    editor,
    group ? { x: group.position.x + metrics.width + 96, y: group.position.y } : { x: 0, y: 0 },
    [],
  )
}
