import { ReactFlowProvider } from '@xyflow/react'
import { ArrowLeft, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { registry } from '../../../blocks/registry'
import { serialiseFlow } from '../../../engine/flow/canonical'
import { createIdSource } from '../../../engine/flow/ids'
import type { Chatbot } from '../../../server/api/chatbots/contract'
import { useView } from '../../canvas/adapter'
import { Canvas } from '../../canvas/Canvas'
import { createCanvasStore, nothingSelected, type Selection, select } from '../../canvas/canvasStore'
import {
  type Editor,
  EditorProvider,
  useCanvasState,
  useEditor,
  useKindTexts,
  useProjection,
} from '../../canvas/context'
import { Palette } from '../../canvas/Palette'
import { useFlow, useReadOnly } from '../../collab/useFlow'
import { FlowScopeProvider } from '../../text/flowScope'
import { IconButton } from '../../ui/IconButton'
import styles from './Builder.module.css'
import { BuilderHeader } from './BuilderHeader'
import { useFlowScopeValue } from './flowScopeValue'
import { ImportDialog } from './ImportDialog'
import { Inspector, preloadForms } from './Inspector'
import { PanelBoundary } from './PanelBoundary'
import { PublishButton } from './PublishButton'
import { usePruneSelection } from './pruneSelection'
import { SidePanel } from './SidePanel'
import { whenSaved } from './whenSaved'

const loadPreview = () => import('../../preview/PreviewPane')
const PreviewPane = lazy(loadPreview)
const isSmall = () => window.matchMedia('(max-width: 760px)').matches
const newId = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

interface BuilderProps {
  pgid: string
  chatbot: Chatbot
}

/** The builder around an open flow: header, palette, canvas, the settings of what is selected, and the test. */
export function Builder(props: BuilderProps) {
  const { document, undo, redo } = useFlow()
  const readOnly = useReadOnly()
  const [store] = useState(createCanvasStore)
  const editor = useMemo<Editor>(
    () => ({ document, registry, newId, readOnly, store, undo, redo }),
    [document, readOnly, store, undo, redo],
  )
  return (
    <EditorProvider editor={editor}>
      <ReactFlowProvider>
        <Layout {...props} />
      </ReactFlowProvider>
    </EditorProvider>
  )
}

function Layout({ pgid, chatbot }: BuilderProps) {
  const editor = useEditor()
  const { store, document: flow, readOnly } = editor
  const { t } = useTranslation('builder')
  const view = useView()
  const scope = useFlowScopeValue(pgid)
  const empty = useProjection((projection) => projection.groups.size === 0)
  const selection = useCanvasState((state) => state.selection)
  const selected = selection.blocks.size + selection.groups.size === 1
  const dragging = useCanvasState((state) => state.moving.size > 0)
  const [testing, setTesting] = useState(false)
  /** where both panels do not fit, the test stands in front of the settings until one selects something else */
  const [behindTest, setBehindTest] = useState<Selection | null>(null)
  const [importing, setImporting] = useState(false)
  const [palette, setPalette] = useState(() => !isSmall())
  const settings = selected && !dragging
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  usePruneSelection(editor)
  usePreload()

  const showTest = () => {
    setTesting(true)
    setBehindTest(store.getState().selection)
  }
  const exportFlow = () => {
    const url = URL.createObjectURL(new Blob([serialiseFlow(flow.toFlow())], { type: 'application/json' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: `${chatbot.slug}.parley.json` })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className={styles.builder}>
      <BuilderHeader
        name={chatbot.name}
        back={`/projects/${pgid}/chatbots`}
        testing={testing}
        onTest={() => (testing ? setTesting(false) : showTest())}
        onImport={() => setImporting(true)}
        onExport={exportFlow}
        publish={readOnly ? null : <PublishButton pgid={pgid} chatbot={chatbot} />}
      />
      <div className={styles.work}>
        {palette && !readOnly && (
          <aside className={styles.palette} aria-label={t('palette.label')}>
            <Palette onAdded={() => isSmall() && setPalette(false)} />
          </aside>
        )}
        <div className={styles.stage}>
          {!readOnly && (
            <div className={styles.corner} data-open={palette || undefined}>
              <IconButton
                className={styles.toggle}
                label={t(palette ? 'palette.hide' : 'palette.show')}
                tooltipPosition="right"
                icon={palette ? <PanelLeftClose size={16} /> : <PanelLeftOpen size={16} />}
                aria-expanded={palette}
                onClick={() => setPalette(!palette)}
              />
            </div>
          )}
          <Canvas onImport={readOnly ? null : () => setImporting(true)} />
        </div>
        {settings && (
          <FlowScopeProvider value={scope}>
            <SidePanel
              label={t('panel.label')}
              name="settings"
              initial={340}
              behind={testing && behindTest === selection}
            >
              {testing && <BackToTest onClick={showTest} />}
              <Inspector />
            </SidePanel>
          </FlowScopeProvider>
        )}
        {testing && (
          <SidePanel label={t('preview.label')} name="test" initial={380} behind={settings && behindTest !== selection}>
            <PanelBoundary message={t('preview.failed')}>
              <Suspense fallback={null}>
                <Preview {...params} name={chatbot.name} onShown={showTest} onClose={() => setTesting(false)} />
              </Suspense>
            </PanelBoundary>
          </SidePanel>
        )}
      </div>
      <ImportDialog
        opened={importing}
        params={params}
        empty={empty}
        onClose={() => setImporting(false)}
        onImported={() => {
          store.setState({ selection: nothingSelected })
          setTimeout(view.fit, 300)
        }}
      />
    </div>
  )
}

function BackToTest({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('builder')
  return (
    <button type="button" className={styles.backToTest} onClick={onClick}>
      <ArrowLeft size={14} aria-hidden /> {t('preview.back')}
    </button>
  )
}

/** Once the builder stands, what may be opened next is fetched: so that it opens at once, and without a connection too. */
function usePreload() {
  const { i18n } = useTranslation()
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.allSettled([loadPreview(), preloadForms(), i18n.loadNamespaces(['preview', 'text'])]),
      1500,
    )
    return () => clearTimeout(timer)
  }, [i18n])
}

type PreviewProps = {
  pgid: string
  cgid: string
  fid: string
  name: string
  /** a step was shown on the canvas: its settings stay behind */
  onShown: () => void
  onClose: () => void
}

function Preview({ onShown, ...props }: PreviewProps) {
  const { store, document: flow, registry: kindsOf } = useEditor()
  const { store: flowStore } = useFlow()
  const view = useView()
  const kinds = useKindTexts()
  const draft = useProjection((projection) => projection)
  return (
    <PreviewPane
      {...props}
      draft={draft}
      whenSaved={() => whenSaved(flowStore)}
      describe={({ groupId, blockId, kind, port }) => {
        const { groups, blocks } = flow.projection()
        const block = blocks.get(blockId)
        if (!block) return null
        return {
          title: kinds.title(kind),
          group: groups.get(groupId)?.title ?? '',
          exit: kindsOf.portsOf(block).find(({ id }) => id === port)?.label ?? null,
        }
      }}
      onDebug={(debug) => store.setState({ debug })}
      onShow={(blockId) => {
        const groupId = flow.projection().blocks.get(blockId)?.groupId
        if (groupId === undefined) return
        select(store, { blocks: [blockId] })
        onShown()
        view.show(groupId, blockId)
      }}
    />
  )
}
