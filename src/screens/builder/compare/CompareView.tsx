import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createDocument } from '../../../../engine/document/createDocument'
import type { Flow } from '../../../../engine/flow/schema'
import { unionOf } from '../../../../engine/graph/union'
import { failureText } from '../../../api/failure'
import { versionQuery } from '../../../api/versions'
import { ActionsProvider } from '../../../canvas/actionRegistry'
import { Canvas } from '../../../canvas/Canvas'
import { createCanvasStore } from '../../../canvas/canvasStore'
import { type Editor, EditorProvider, useCanvasState, useEditor } from '../../../canvas/context'
import { FlowScopeProvider } from '../../../text/flowScope'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { BuilderContext, useBuilder } from '../builderContext'
import { useFlowScopeValue } from '../flowScopeValue'
import { Inspector } from '../Inspector'
import { SidePanel } from '../SidePanel'
import { CompareHeader } from './CompareHeader'
import { CompareOnCanvas } from './CompareOnCanvas'
import styles from './CompareView.module.css'
import { type ComparedFlow, type Comparison, compareFlows, sizeOf } from './comparison'

/** Replaces the builder: two states of the chatbot on one canvas, or a single one. Read-only. */
export function CompareView({ shown, onShow }: { shown: Comparison; onShow: (next: Comparison | null) => void }) {
  const { t } = useTranslation('versions')
  const { pgid, chatbot, fid, whenSaved } = useBuilder()
  const { before, after } = shown
  const is = useQuery(versionQuery(pgid, chatbot.gid, after, whenSaved))
  const was = useQuery({
    ...versionQuery(pgid, chatbot.gid, before ?? after, whenSaved),
    enabled: before !== null,
  })
  const flows = useMemo(
    () =>
      is.data && (before === null || was.data)
        ? compareFlows(before === null ? is.data : (was.data ?? []), is.data)
        : null,
    [is.data, was.data, before],
  )
  const [picked, pick] = useState<string | null>(null)
  const flow = flows && (flowAt(flows, picked) ?? flowAt(flows, changedIn(flows, fid)) ?? flows[0] ?? null)
  const error = is.error ?? (before === null ? null : was.error)
  return (
    <section className={styles.compare} aria-label={t(before === null ? 'look.label' : 'compare.label')}>
      <CompareHeader shown={shown} onShow={onShow} flows={flows ?? []} flow={flow?.gid ?? null} onFlow={pick} />
      {error ? (
        <ErrorCard
          message={failureText(error, t('failed'))}
          action={{ label: t('again'), onClick: () => void Promise.all([is.refetch(), was.refetch()]) }}
        />
      ) : flow ? (
        <ReadOnly
          key={`${before} ${after} ${flow.gid}`}
          flow={flow}
          single={before === null}
          onClose={() => onShow(null)}
        />
      ) : (
        <div className={styles.loading}>
          <LoadingState rows={3} />
        </div>
      )}
    </section>
  )
}

const flowAt = (flows: readonly ComparedFlow[], gid: string | null) => flows.find((one) => one.gid === gid)

/** The open flow if it differs, otherwise the first one that does. */
function changedIn(flows: readonly ComparedFlow[], open: string): string {
  const changed = flows.filter(({ change, diff }) => change !== null || sizeOf(diff) > 0)
  return (flowAt(changed, open) ?? changed[0] ?? { gid: open }).gid
}

/** An editor over a local, read-only document. */
function ReadOnly({ flow, single, onClose }: { flow: ComparedFlow; single: boolean; onClose: () => void }) {
  const { registry, newId } = useEditor()
  const builder = useBuilder()
  const [editor] = useState((): Editor => {
    const document = createDocument({ registry })
    document.commands.replaceFlow(single ? flow.after : unionOf(flow.before, flow.after))
    const store = createCanvasStore()
    return { document, registry, newId, readOnly: true, store, flowId: flow.gid, undo: () => {}, redo: () => {} }
  })
  useEffect(() => () => editor.document.doc.destroy(), [editor])
  const own = useMemo(
    () => ({ ...builder, fid: flow.gid, problems: { diagnostics: [], others: [] } }),
    [builder, flow.gid],
  )
  return (
    <BuilderContext.Provider value={own}>
      <EditorProvider editor={editor} flows={builder.flows}>
        <ActionsProvider>
          <ReactFlowProvider>
            {single ? <LookAtCanvas flow={flow.after} /> : <CompareOnCanvas flow={flow} onClose={onClose} />}
          </ReactFlowProvider>
        </ActionsProvider>
      </EditorProvider>
    </BuilderContext.Provider>
  )
}

/** A single state: its canvas, and the settings of the selection. */
function LookAtCanvas({ flow }: { flow: Flow }) {
  const { t } = useTranslation('builder')
  const { pgid, chatbot, flows, fid } = useBuilder()
  const scope = useFlowScopeValue(pgid, chatbot.gid, flows, fid)
  const selected = useCanvasState(({ selection }) => selection.blocks.size + selection.groups.size > 0)
  return (
    <div className={styles.work}>
      <div className={styles.stage}>{flow.groups.length > 0 ? <Canvas onImport={null} /> : <EmptyFlow />}</div>
      {selected && (
        <FlowScopeProvider value={scope}>
          <SidePanel label={t('panel.label')}>
            <Inspector />
          </SidePanel>
        </FlowScopeProvider>
      )}
    </div>
  )
}

function EmptyFlow() {
  const { t } = useTranslation('versions')
  return <p className={styles.empty}>{t('emptyFlow')}</p>
}
