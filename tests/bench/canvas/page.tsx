import { type ReactFlowInstance, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import i18next from 'i18next'
import { Suspense, useEffect, useMemo } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import * as Y from 'yjs'
import { registry } from '../../../blocks/registry'
import { createDocument } from '../../../engine/document/createDocument'
import { updateOf } from '../../../engine/document/plainFlow'
import { createCountingIds } from '../../../engine/flow/ids'
import type { ListedFlow } from '../../../server/contracts/flows'
import { ActionsProvider } from '../../../src/canvas/actionRegistry'
import { Canvas } from '../../../src/canvas/Canvas'
import { type CanvasStore, createCanvasStore, select } from '../../../src/canvas/canvasStore'
import { type Editor, EditorProvider, useProjection } from '../../../src/canvas/context'
import { openBlock } from '../../../src/canvas/editing/openBlock'
import { startI18n } from '../../../src/i18n'
import { BuilderContext, type BuilderValue } from '../../../src/screens/builder/builderContext'
import { Inspector, preloadForms } from '../../../src/screens/builder/Inspector'
import { useProblemMarks } from '../../../src/screens/builder/problemMarks'
import { useProblems } from '../../../src/screens/builder/useProblems'
import { FlowScopeProvider, useFlowScope } from '../../../src/text/flowScope'
import { UiProvider } from '../../../src/ui/UiProvider'
import '../../../src/ui/tokens.css'
import { benchFlow } from './benchFlow'
import { createCrowd } from './crowd'
import { atEachFrame, type Frames, nextPaint } from './frames'
import { Plain } from './Plain'

/** The builder's canvas, or plain React Flow, over a flow of any size; the bench drives it through `window.bench`. */
type Which = 'ours' | 'plain'

let root: Root | undefined
let size = 0
let update: Uint8Array
let flow: ReactFlowInstance
let store: CanvasStore
let crowd: ReturnType<typeof createCrowd>

let keyTimes: number[] = []
let stopTiming = () => {}

const bench = {
  /** Makes the Yjs update of a flow, as the server sends it: not part of what is measured. */
  prepare(groups: number): void {
    size = groups
    update = updateOf(benchFlow(groups), registry)
  },
  /** @returns milliseconds from the document being there to its projection, and from that to the first whole picture of it */
  async open(which: Which): Promise<{ projection: number; picture: number }> {
    root?.unmount()
    const doc = new Y.Doc()
    Y.applyUpdate(doc, update)
    store = createCanvasStore()
    crowd = createCrowd()
    const ids = createCountingIds('n')
    await nextPaint()
    const began = performance.now()
    const document = createDocument({ registry, doc })
    document.projection()
    const projected = performance.now()
    const editor: Editor = {
      document,
      registry,
      newId: () => ids(),
      readOnly: false,
      store,
      presence: crowd.presence,
      undo: () => undefined,
      redo: () => undefined,
    }
    root = createRoot(window.document.getElementById('root') as HTMLElement)
    root.render(<Page which={which} editor={editor} />)
    const there = () =>
      [...window.document.querySelectorAll<HTMLElement>('.react-flow__node')].some(
        ({ style }) => style.visibility !== 'hidden',
      )
    const filled = () => which === 'plain' || window.document.querySelector('[data-overview][hidden]') !== null
    while (!there() || !filled()) await nextPaint()
    return { projection: projected - began, picture: performance.now() - projected }
  },
  /** where a gesture begins; `all` shows the whole flow */
  async look(zoom: number | 'all'): Promise<void> {
    if (zoom === 'all') await flow.setViewport(wholeView())
    else await flow.setViewport({ x: -2000 * zoom, y: -2000 * zoom, zoom })
    for (let n = 0; n < 20; n++) await nextPaint()
  },
  pan: () => atEachFrame(90, (n) => wheel({ deltaX: n < 45 ? 30 : -30, deltaY: n < 45 ? 14 : -14 })),
  zoom: (by: number) => atEachFrame(90, (n) => wheel({ deltaY: n < 45 ? by : -by, ctrlKey: true })),
  /** Throws unless a group has moved. */
  async drag(): Promise<Frames> {
    const { id, at: from } = dragPoint()
    const before = placeOf(id)
    mouse('down', from)
    const frames = await atEachFrame(80, (n) =>
      mouse('move', { x: from.x + Math.min(n, 60) * 4, y: from.y + (n % 40) * 3 }),
    )
    const end = { x: from.x + 240, y: from.y }
    mouse('up', end)
    for (let n = 0; n < 5; n++) await nextPaint()
    const after = placeOf(id)
    if (before.x === after.x && before.y === after.y) throw new Error(`Group ${id} was not dragged`)
    // and back, so that the next drag finds the same view
    mouse('down', end)
    for (let n = 0; n < 10; n++) {
      mouse('move', { x: end.x - 24 * (n + 1), y: end.y })
      await nextPaint()
    }
    mouse('up', from)
    for (let n = 0; n < 5; n++) await nextPaint()
    return frames
  },
  /** selects so many groups, from the first on; all with Infinity */
  selectMany(count: number): void {
    select(store, { groups: currentGroups().slice(0, count) })
  },
  /** so many others come in, and move about where one looks */
  crowd: (count: number) => crowd.gather(count, { x: 2700, y: 2450 }),
  /** nothing is done oneself */
  stay: () => atEachFrame(120, () => undefined),
  selectText(): void {
    select(store, { blocks: ['g3b1'] })
  },
  /** the same text on its card, which is brought into sight */
  async editOnCard(): Promise<void> {
    const { x, y } = placeOf('g3')
    await flow.setViewport({ x: 300 - x, y: 200 - y, zoom: 1 })
    for (let n = 0; n < 20; n++) await nextPaint()
    openBlock(store, 'g3b1')
  },
  /**
   * From now on, what a letter takes: from the browser's event until all that it set off at once is done. A message tells that no more events
   * of the letter come; it comes after the next picture, which a letter must not be charged with.
   */
  timeKeys(): void {
    stopTiming()
    const times: number[] = []
    const { port1, port2 } = new MessageChannel()
    let began = 0
    let ended = 0
    port1.onmessage = () => times.push(ended - began)
    const onKey = () => {
      began = performance.now()
      port2.postMessage(null)
    }
    // React has rendered by then: it does so between the listeners of what is inside the window and those of the window
    const onEnd = () => {
      ended = performance.now()
    }
    window.addEventListener('beforeinput', onKey, true)
    for (const event of ['beforeinput', 'input']) window.addEventListener(event, onEnd)
    stopTiming = () => {
      window.removeEventListener('beforeinput', onKey, true)
      for (const event of ['beforeinput', 'input']) window.removeEventListener(event, onEnd)
    }
    keyTimes = times
  },
  keyTimes: () => keyTimes,
  /** one more picture, with all that came before it done */
  rest: () => nextPaint(),
  count: () => window.document.querySelectorAll('*').length,
}
export type Bench = typeof bench
Object.assign(window, { bench })

let currentGroups: () => string[] = () => []
/** where a group is, by who has it: the document, or plain React Flow's state */
let placeOf: (id: string) => { x: number; y: number }

function Page({ which, editor }: { which: Which; editor: Editor }) {
  placeOf = (id) =>
    (which === 'ours' ? editor.document.projection().groups : new Map([[id, flow.getNode(id)]])).get(id)?.position ?? {
      x: 0,
      y: 0,
    }
  currentGroups = () => [...editor.document.projection().groups.keys()]
  return (
    <UiProvider>
      <EditorProvider editor={editor}>
        <ActionsProvider>
          <ReactFlowProvider>
            <Probe />
            <div style={{ display: 'flex', height: '100vh' }}>
              {which === 'ours' ? <Canvas onImport={null} /> : <Plain />}
              {which === 'ours' && <Beside />}
            </div>
          </ReactFlowProvider>
        </ActionsProvider>
      </EditorProvider>
    </UiProvider>
  )
}

const listed = [{ gid: 'f', is_main: true, title: 'Main', variables: [], groups: [] }] as unknown as ListedFlow[]

/** The checker, its marks and the settings of what is selected, as they are in the builder. */
function Beside() {
  const problems = useProblems(listed, 'f')
  useProblemMarks(problems)
  const builder = useMemo(() => ({ problems, flows: listed, fid: 'f' }) as unknown as BuilderValue, [problems])
  const variables = useProjection((projection) => projection.variables)
  const none = useFlowScope()
  const scope = useMemo(() => ({ ...none, variables }), [none, variables])
  return (
    <BuilderContext.Provider value={builder}>
      <FlowScopeProvider value={scope}>
        <aside style={{ width: 340, overflow: 'auto' }}>
          <Suspense fallback={null}>
            <Inspector />
          </Suspense>
        </aside>
      </FlowScopeProvider>
    </BuilderContext.Provider>
  )
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
  const { width, height } = benchFlow.size(size)
  return { x: 0, y: 0, zoom: Math.min(1, box.width / width, box.height / height) }
}

const pane = () => window.document.querySelector('.react-flow__pane') as HTMLElement

function wheel(init: WheelEventInit): void {
  const box = pane().getBoundingClientRect()
  const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }
  pane().dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...at, ...init }))
}

/** On a group's own ground: at its edge, or from afar in its middle. */
function dragPoint(): { id: string; at: { x: number; y: number } } {
  const { x, y, zoom } = flow.getViewport()
  const box = pane().getBoundingClientRect()
  // from afar plain React Flow still draws its blocks, which have gestures of their own
  const inside = zoom < 0.4 && window.document.querySelector('[data-overview]') ? 132 : 4
  for (const id of currentGroups()) {
    const place = placeOf(id)
    const at = { x: box.left + x + (place.x + inside) * zoom, y: box.top + y + (place.y + 70) * zoom }
    const seen = at.x > box.left + 20 && at.x < box.right - 300 && at.y > box.top + 20 && at.y < box.bottom - 160
    if (seen) return { id, at }
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
void Promise.all([
  i18next.loadNamespaces(['builder', 'blocks', 'presence', 'problems', 'text', 'variables']),
  preloadForms(),
]).then(() => document.documentElement.setAttribute('data-ready', ''))
