import { createContext, type ReactNode, useContext, useMemo, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Projection } from '../../engine/document/commands'
import type { FlowDocument } from '../../engine/document/flowDocument'
import type { IdSource } from '../../engine/flow/ids'
import type { Registry } from '../../engine/flow/registry'
import type { Presence } from '../collab/presence'
import type { FaceNames } from '../ui/blockFace'
import type { CanvasState, CanvasStore } from './canvasStore'
import { interfaceTexts, variableNames } from './names'

/** The dependencies of all parts of the builder. */
export interface Editor {
  document: FlowDocument
  registry: Registry
  newId: IdSource
  readOnly: boolean
  store: CanvasStore
  /** the flow's id, by which a clip recognises its source */
  flowId?: string
  /**
   * uploads an image and returns its address; absent without permission. Rejects with an Error whose message is a
   * sentence to show
   */
  uploadImage?: (file: File) => Promise<string>
  /** others who have the flow open; absent in read-only views such as a comparison */
  presence?: Presence
  /** of one's own edits */
  undo: () => void
  redo: () => void
}

const EditorContext = createContext<Editor | null>(null)
const NamesContext = createContext<FaceNames>({ variable: () => null, group: () => null, text: (key) => key })

/** @param flows the chatbot's flows by name; undefined until loaded */
export function EditorProvider(props: { editor: Editor; flows?: readonly NamedFlow[]; children: ReactNode }) {
  const { editor, flows, children } = props
  return (
    <EditorContext.Provider value={editor}>
      <Names flows={flows}>{children}</Names>
    </EditorContext.Provider>
  )
}

/** Throws outside an EditorProvider. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('useEditor needs an EditorProvider')
  return editor
}

/** A part of the present flow; renders again only if the part's identity changes. */
export function useProjection<T>(part: (projection: Projection) => T): T {
  const { document } = useEditor()
  const read = () => part(document.projection())
  return useSyncExternalStore(document.subscribe, read, read)
}

/** A part of the interface's state. */
export const useCanvasState = <T,>(part: (state: CanvasState) => T): T => useStore(useEditor().store, part)

export const useNames = (): FaceNames => useContext(NamesContext)

interface NamedFlow {
  gid: string
  title: string
}

function Names({ flows, children }: { flows: readonly NamedFlow[] | undefined; children: ReactNode }) {
  const variables = useProjection((projection) => projection.variables)
  const titles = useGroupTitles()
  // renders again when the language changes
  useTranslation('blocks')
  const text = interfaceTexts()
  const names = useMemo<FaceNames>(() => {
    const byGroup = new Map(titles.map((group) => [group.id, group.title]))
    const byFlow = flows && new Map(flows.map(({ gid, title }) => [gid, title]))
    return {
      variable: variableNames(variables),
      group: (id) => byGroup.get(id) ?? null,
      text,
      ...(byFlow && { flow: (id: string) => byFlow.get(id) ?? null }),
    }
  }, [variables, titles, flows, text])
  return <NamesContext.Provider value={names}>{children}</NamesContext.Provider>
}

/** Ids and titles of all groups; the same array while unchanged. */
export function useGroupTitles(): readonly { readonly id: string; readonly title: string }[] {
  const last = useRef<{ groups: Projection['groups']; titles: { id: string; title: string }[] }>(null)
  return useProjection(({ groups }) => {
    if (last.current?.groups === groups) return last.current.titles
    const titles = Array.from(groups.values(), ({ id, title }) => ({ id, title }))
    const before = last.current?.titles
    const same =
      before?.length === titles.length &&
      titles.every(({ id, title }, i) => before[i]?.id === id && before[i]?.title === title)
    last.current = { groups, titles: same && before ? before : titles }
    return last.current.titles
  })
}

export interface KindTexts {
  title: (kind: string) => string
  help: (kind: string) => string
  /** synonyms, separated by commas */
  keywords: (kind: string) => string
}

/** The kinds' texts in the interface's language. */
export function useKindTexts(): KindTexts {
  const { registry } = useEditor()
  const { t } = useTranslation('blocks')
  return useMemo(
    () => ({
      title: (kind) => t(`${kind}.title`, { defaultValue: registry.find(kind)?.title ?? kind }),
      help: (kind) => t(`${kind}.help`, { defaultValue: registry.find(kind)?.help ?? '' }),
      keywords: (kind) => t(`${kind}.keywords`, { defaultValue: '' }),
    }),
    [registry, t],
  )
}
