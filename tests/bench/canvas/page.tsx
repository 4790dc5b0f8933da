import { type ReactFlowInstance, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import i18next from 'i18next'
import { Suspense, useEffect, useMemo } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { registry } from '../../../blocks/registry'
import { createDocument } from '../../../engine/document/createDocument'
import { createCountingIds } from '../../../engine/flow/ids'
import type { ListedFlow } from '../../../server/api/flows/contract'
import { ActionsProvider } from '../../../src/canvas/actionRegistry'
import { Canvas } from '../../../src/canvas/Canvas'
import { type CanvasStore, createCanvasStore, select } from '../../../src/canvas/canvasStore'
import { type Editor, EditorProvider } from '../../../src/canvas/context'
import { startI18n } from '../../../src/i18n'
import { Inspector, preloadForms } from '../../../src/screens/builder/Inspector'
import { useProblems } from '../../../src/screens/builder/useProblems'
import { UiProvider } from '../../../src/ui/UiProvider'
import '../../../src/ui/tokens.css'
import { benchFlow } from './benchFlow'
import { atEachFrame, type Frames, nextPaint } from './frames'
import { Plain } from './Plain'

/** The builder's canvas, or plain React Flow, over a flow of any size; the bench drives it through `window.bench`. */
type Which = 'ours' | 'plain'

let root: Root | undefined
let flow: ReactFlowInstance
let store: CanvasStore

const bench = {
  /** @returns milliseconds from "the document is there" to the first picture of it */
  async open(which: Which, groups: number): Promise<number> {
    root?.unmount()
    const document = createDocument({ registry })
    document.commands.replaceFlow(benchFlow(groups))
    document.projection()
    store = createCanvasStore()
    const ids = createCountingIds('n')
    const editor: Editor = {
      document,
      registry,
      newId: () => ids(),
      readOnly: false,
      store,
      undo: () => undefined,
      redo: () => undefined,
    }
    await nextPaint()
    const began = performance.now()
    root = createRoot(window.document.getElementById('root') as HTMLElement)
    root.render(<Page which={which} editor={editor} />)
    const there = () =>
      [...window.document.querySelectorAll<HTMLElement>('.react-flow__node')].some(
        ({ style }) => style.visibility !== 'hidden',
      )
    const filled = () => which === 'plain' || window.document.querySelector('[data-overview][hidden]') !== null
    while (!there() || !filled()) await nextPaint()
    await nextPaint()
    return performance.now() - began
  },
  /** where a gesture begins; `far` shows all of it */
  async look(zoom: number | 'all'): Promise<void> {
    if (zoom === 'all') await flow.setViewport(wholeView())
    else await flow.setViewport({ x: -2000 * zoom, y: -2000 * zoom, zoom })
    for (let n = 0; n < 20; n++) await nextPaint()
  },
  pan: () => atEachFrame(90, (n) => wheel({ deltaX: n < 45 ? 30 : -30, deltaY: n < 45 ? 14 : -14 })),
  zoom: (by: number) => atEachFrame(90, (n) => wheel({ deltaY: n < 45 ? by : -by, ctrlKey: true })),
  async drag(): Promise<Frames> {
    const from = dragPoint()
    mouse('down', from)
    const frames = await atEachFrame(80, (n) =>
      mouse('move', { x: from.x + Math.min(n, 60) * 4, y: from.y + (n % 40) * 3 }),
    )
    mouse('up', { x: from.x + 240, y: from.y })
    await nextPaint()
    return frames
  },
  /** selects so many groups, from the first on; all with Infinity */
  selectMany(count: number): void {
    select(store, { groups: currentGroups().slice(0, count) })
  },
  selectText(): void {
    select(store, { blocks: ['g3b1'] })
  },
  count: () => window.document.querySelectorAll('*').length,
}
export type Bench = typeof bench
Object.assign(window, { bench })

let currentGroups: () => string[] = () => []
let currentPlaces: () => { position: { x: number; y: number } }[] = () => []

function Page({ which, editor }: { which: Which; editor: Editor }) {
  currentPlaces = () => [...editor.document.projection().groups.values()]
  currentGroups = () => [...editor.document.projection().groups.keys()]
  return (
    <UiProvider>
      <EditorProvider editor={editor}>
        <ActionsProvider>
          <ReactFlowProvider>
            <Probe />
            <div style={{ display: 'flex', height: '100vh' }}>
              {which === 'ours' ? <Canvas onImport={null} /> : <Plain />}
              {which === 'ours' && (
                <aside style={{ width: 340, overflow: 'auto' }}>
                  <Suspense fallback={null}>
                    <Inspector />
                  </Suspense>
                  <Checked />
                </aside>
              )}
            </div>
          </ReactFlowProvider>
        </ActionsProvider>
      </EditorProvider>
    </UiProvider>
  )
}

const listed = [{ gid: 'f', is_main: true, title: 'Main', variables: [], groups: [] }] as unknown as ListedFlow[]

/** The checker runs beside the canvas, as it does in the builder. */
function Checked() {
  const flows = useMemo(() => listed, [])
  useProblems(flows, 'f')
  return null
}

function Probe() {
  const instance = useReactFlow()
  useEffect(() => {
    flow = instance
  }, [instance])
  return null
}

function wholeView() {
  const box = pane().getBoundingClientRect()
  const count = currentGroups().length
  const { width, height } = benchFlow.size(count)
  const zoom = Math.max(0.05, Math.min(box.width / width, box.height / height))
  return { x: 0, y: 0, zoom }
}

const pane = () => window.document.querySelector('.react-flow__pane') as HTMLElement

function wheel(init: WheelEventInit): void {
  const box = pane().getBoundingClientRect()
  const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }
  pane().dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...at, ...init }))
}

/** On a group: in its title, or where the overview shows one. */
function dragPoint(): { x: number; y: number } {
  const { x, y, zoom } = flow.getViewport()
  const box = pane().getBoundingClientRect()
  for (const { position } of currentPlaces()) {
    const at = { x: box.left + x + (position.x + 60) * zoom, y: box.top + y + (position.y + 18) * zoom }
    const inside = at.x > box.left + 20 && at.x < box.right - 300 && at.y > box.top + 20 && at.y < box.bottom - 160
    if (inside) return at
  }
  throw new Error('No group is in sight')
}

function mouse(what: 'down' | 'move' | 'up', { x, y }: { x: number; y: number }): void {
  const under = what === 'down' ? (window.document.elementFromPoint(x, y) as Element) : window
  const init = { bubbles: true, cancelable: true, view: window, clientX: x, clientY: y, button: 0, pointerId: 1 }
  const pressed = { ...init, buttons: what === 'up' ? 0 : 1, isPrimary: true, pointerType: 'mouse' }
  under.dispatchEvent(new PointerEvent(`pointer${what}`, pressed))
  under.dispatchEvent(new MouseEvent(`mouse${what}`, pressed))
}

startI18n()
void Promise.all([i18next.loadNamespaces(['builder', 'blocks', 'text', 'variables']), preloadForms()]).then(() =>
  document.documentElement.setAttribute('data-ready', ''),
)
