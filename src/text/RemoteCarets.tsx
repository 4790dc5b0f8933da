import { relativeRangeToSlateRange, slateRangeToRelativeRange, YjsEditor } from '@slate-yjs/core'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Editor, Range } from 'slate'
import { ReactEditor, useSlate } from 'slate-react'
import * as Y from 'yjs'
import { personColor } from '../ui/personColor'
import { CaretContext, type PeerCaret, usePeers } from './caretRoom'
import styles from './text.module.css'

/**
 * Shows others' carets and selections over the text of the surrounding editor, and sends one's own. An overlay, so that
 * peers' moves render nothing else.
 */
export function RemoteCarets({ text, place }: { text: Y.XmlText; place: string }) {
  const room = useContext(CaretContext)
  const editor = useSlate() as Editor & YjsEditor
  const peers = usePeers(room, place)
  const [shapes, setShapes] = useState<readonly Shape[]>([])
  const { selection } = editor

  // also after each change of the text, which moves relative positions
  useEffect(() => {
    if (!room || !YjsEditor.connected(editor)) return
    YjsEditor.flushLocalChanges(editor)
    room.set(selection && { place, range: relativeRange(editor, text, selection) })
  }, [room, editor, text, place, selection, editor.children])
  useEffect(() => () => room?.set(null), [room])

  const measure = () =>
    setShapes(peers.length === 0 ? none : peers.flatMap((peer) => shapeOf(editor, text, peer) ?? []))
  const latest = useRef(measure)
  latest.current = measure
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the text moves carets too
  useLayoutEffect(() => latest.current(), [peers, editor.children])
  useEffect(() => {
    const surface = ReactEditor.toDOMNode(editor, editor)
    const again = () => latest.current()
    const observer = new ResizeObserver(again)
    observer.observe(surface)
    surface.addEventListener('scroll', again, { passive: true })
    return () => {
      observer.disconnect()
      surface.removeEventListener('scroll', again)
    }
  }, [editor])

  return (
    <div className={styles.carets} aria-hidden>
      {shapes.map(({ peer, caret, selected }) => (
        <div key={peer.clientId} style={personColor(peer)}>
          <div className={styles.caretSelection}>
            {selected.map((box) => (
              <div key={`${box.left} ${box.top} ${box.width}`} style={box} />
            ))}
          </div>
          {/* shows the name again after each move */}
          <div key={`${caret.left} ${caret.top}`} className={styles.caret} style={caret} data-caret={peer.name}>
            <span className={styles.caretName} data-below={caret.top < 16 || undefined}>
              {peer.name}
            </span>
          </div>
        </div>
      ))}
    </div>
  )
}

const CARET_WIDTH = 2

const none: readonly Shape[] = []

/** px relative to the text's frame */
type Box = { left: number; top: number; width: number; height: number }

interface Shape {
  peer: PeerCaret
  caret: Box
  selected: Box[]
}

/** Null for a position that no longer exists, or is not rendered yet. */
function shapeOf(editor: Editor, text: Y.XmlText, peer: PeerCaret): Shape | null {
  try {
    const relative = readRange(peer.range)
    const range = relative && relativeRangeToSlateRange(text, editor, relative)
    if (!range || !Editor.hasPath(editor, range.anchor.path) || !Editor.hasPath(editor, range.focus.path)) return null
    const surface = ReactEditor.toDOMNode(editor, editor)
    const around = surface.getBoundingClientRect()
    // the canvas's zoom scales the text
    const zoom = around.width / surface.offsetWidth || 1
    const boxOf = ({ left, top, width, height }: DOMRect): Box => ({
      left: (left - around.left) / zoom,
      top: (top - around.top) / zoom,
      width: width / zoom,
      height: height / zoom,
    })
    const caret = { ...boxOf(caretRect(editor, { anchor: range.focus, focus: range.focus })), width: CARET_WIDTH }
    const selected = Range.isCollapsed(range)
      ? []
      : [...ReactEditor.toDOMRange(editor, range).getClientRects()].map(boxOf)
    return { peer, caret, selected }
  } catch {
    // the peer is ahead by one change: the next change measures again
    return null
  }
}

/** An empty line has no rectangle: use the element's. */
function caretRect(editor: Editor, at: Range): DOMRect {
  const range = ReactEditor.toDOMRange(editor, at)
  const rect = range.getBoundingClientRect()
  if (rect.height > 0) return rect
  const { startContainer: start } = range
  const element = start instanceof Element ? start : start.parentElement
  return (element ?? ReactEditor.toDOMNode(editor, editor)).getBoundingClientRect()
}

/** Null if the selection and the text are temporarily inconsistent: the next change sends it again. */
function relativeRange(editor: Editor, text: Y.XmlText, selection: Range) {
  try {
    return printRange(slateRangeToRelativeRange(text, editor, selection))
  } catch {
    return null
  }
}

const printRange = ({ anchor, focus }: ReturnType<typeof slateRangeToRelativeRange>) => ({
  anchor: Y.relativePositionToJSON(anchor),
  focus: Y.relativePositionToJSON(focus),
})

function readRange(range: unknown) {
  if (typeof range !== 'object' || range === null || !('anchor' in range) || !('focus' in range)) return null
  return {
    anchor: Y.createRelativePositionFromJSON(range.anchor),
    focus: Y.createRelativePositionFromJSON(range.focus),
  }
}
