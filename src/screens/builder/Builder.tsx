import { ReactFlowProvider } from '@xyflow/react'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { registry } from '../../../blocks/registry'
import { serialiseFlow } from '../../../engine/flow/canonical'
import { createIdSource } from '../../../engine/flow/ids'
import type { Chatbot } from '../../../server/api/chatbots/contract'
import { useView } from '../../canvas/adapter'
import { Canvas } from '../../canvas/Canvas'
import { createCanvasStore, nothingSelected, select } from '../../canvas/canvasStore'
import {
  type Editor,
  EditorProvider,
  useCanvasState,
  useEditor,
  useKindTexts,
  useProjection,
} from '../../canvas/context'
import { metrics } from '../../canvas/geometry'
import { Palette } from '../../canvas/Palette'
import { useFlow, useReadOnly } from '../../collab/useFlow'
import { FlowScopeProvider } from '../../text/flowScope'
import { IconButton } from '../../ui/IconButton'
import styles from './Builder.module.css'
import { BuilderHeader } from './BuilderHeader'
import { useFlowScopeValue } from './flowScopeValue'
import { ImportDialog } from './ImportDialog'
import { Inspector } from './Inspector'
import { PanelBoundary } from './PanelBoundary'
import { PublishButton } from './PublishButton'
import { usePruneSelection } from './pruneSelection'
import { SidePanel } from './SidePanel'
import { whenSaved } from './whenSaved'

const PreviewPane = lazy(() => import('../../preview/PreviewPane'))
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
  const selected = useCanvasState(({ selection }) => selection.blocks.size + selection.groups.size === 1)
  const dragging = useCanvasState((state) => state.moving.size > 0)
  const [testing, setTesting] = useState(false)
  const [importing, setImporting] = useState(false)
  const [palette, setPalette] = useState(() => !isSmall())
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  usePruneSelection(editor)

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
        onTest={() => setTesting(!testing)}
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
        {selected && !dragging && !(testing && isSmall()) && (
          <FlowScopeProvider value={scope}>
            <SidePanel label={t('panel.label')} name="settings" initial={340}>
              <Inspector />
            </SidePanel>
          </FlowScopeProvider>
        )}
        {testing && (
          <SidePanel label={t('preview.label')} name="test" initial={380}>
            <PanelBoundary message={t('preview.failed')}>
              <Suspense fallback={null}>
                <Preview {...params} name={chatbot.name} onClose={() => setTesting(false)} />
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

type PreviewProps = { pgid: string; cgid: string; fid: string; name: string; onClose: () => void }

function Preview(props: PreviewProps) {
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
        const ports = kindsOf.find(kind)?.ports(block.data) ?? []
        return {
          title: kinds.title(kind),
          group: groups.get(groupId)?.title ?? '',
          exit: ports.find(({ id }) => id === port)?.label ?? null,
        }
      }}
      onDebug={(debug) => store.setState({ debug })}
      onShow={(blockId) => {
        const { groups, blocks } = flow.projection()
        const group = groups.get(blocks.get(blockId)?.groupId ?? '')
        if (!group) return
        select(store, { blocks: [blockId] })
        view.show({ ...group.position, width: metrics.width, height: 200 })
      }}
    />
  )
}
