import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { ArrowLeft, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { registry } from '../../../blocks/registry'
import { serialiseFlow } from '../../../engine/flow/canonical'
import { createIdSource } from '../../../engine/flow/ids'
import type { Chatbot } from '../../../server/api/chatbots/contract'
import { exportFlow, type ListedFlow } from '../../../server/api/flows/contract'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { uploadFile } from '../../api/files'
import { flowsQuery, useFlowChanges } from '../../api/flows'
import { ActionsProvider } from '../../canvas/actionRegistry'
import { LayoutProgress } from '../../canvas/autoLayout/LayoutProgress'
import { useAutoLayout } from '../../canvas/autoLayout/useAutoLayout'
import { Canvas } from '../../canvas/Canvas'
import { createCanvasStore, nothingSelected, type Selection } from '../../canvas/canvasStore'
import { type Editor, EditorProvider, useCanvasState, useEditor, useProjection } from '../../canvas/context'
import { Palette } from '../../canvas/Palette'
import { useFlow, useReadOnly } from '../../collab/useFlow'
import { CommentLayer } from '../../comments/CommentLayer'
import { CommentTool } from '../../comments/CommentTool'
import { CommentsProvider } from '../../comments/useComments'
import { FlowScopeProvider } from '../../text/flowScope'
import { downloadText } from '../../ui/downloadText'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import styles from './Builder.module.css'
import { BuilderHeader } from './BuilderHeader'
import header from './BuilderHeader.module.css'
import { BuilderPreview, loadPreview } from './BuilderPreview'
import { BuilderContext, type BuilderValue } from './builderContext'
import { CommandPalette } from './CommandPalette'
import type { Comparison } from './compare/comparison'
import { useCompareActions } from './compare/useCompareActions'
import { FlowSwitcher } from './FlowSwitcher'
import { useFlowScopeValue } from './flowScopeValue'
import { ImportDialog } from './ImportDialog'
import { Inspector, preloadForms } from './Inspector'
import { PublishButton } from './PublishButton'
import { OpenPanel } from './panels/OpenPanel'
import { PanelEntries, PanelRail } from './panels/PanelRail'
import { useStatisticsMarks } from './panels/statistics/useStatistics'
import { useProblemMarks } from './problemMarks'
import { usePruneSelection } from './pruneSelection'
import { useRepairNotice } from './RepairNotice'
import { RightsNotice } from './RightsNotice'
import { SidePanel } from './SidePanel'
import { StrandedEdits } from './StrandedEdits'
import { useShowPlace } from './showPlace'
import { TemplateDialog } from './TemplateDialog'
import { useTidyImport } from './tidyImport'
import { useChatbotNews } from './useChatbotNews'
import { useDebugger } from './useDebugger'
import { useProblems } from './useProblems'
import { useRescue } from './useRescue'
import { whenSaved } from './whenSaved'

/** two panels do not fit beside the canvas: SidePanel.module.css */
const isNarrow = () => window.matchMedia('(max-width: 1599px)').matches
const isSmall = () => window.matchMedia('(max-width: 760px)').matches
const COMMENT_TOOL = <CommentTool />
const CompareView = lazy(async () => ({ default: (await import('./compare/CompareView')).CompareView }))
const newId = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

interface BuilderProps {
  pgid: string
  chatbot: Chatbot
  /** the flow that is open */
  fid: string
}

/** The builder around an open flow: header, palette, canvas, the settings of what is selected, and the test. */
export function Builder(props: BuilderProps) {
  const { document, presence, undo, redo } = useFlow()
  const readOnly = useReadOnly()
  const { data: flows } = useQuery(flowsQuery(props.pgid, props.chatbot.gid))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was selected belongs to the flow that was open
  const store = useMemo(createCanvasStore, [document])
  const editor = useMemo<Editor>(
    () => ({
      document,
      registry,
      newId,
      readOnly,
      store,
      flowId: props.fid,
      ...(!readOnly && { uploadImage: (file: File) => uploadFile(props.pgid, file, 'image', UNWATCHED) }),
      presence,
      undo,
      redo,
    }),
    [document, presence, readOnly, store, props.fid, props.pgid, undo, redo],
  )
  return (
    <EditorProvider editor={editor} flows={flows}>
      <RightsNotice />
      <ActionsProvider>
        <ReactFlowProvider>
          <CommentsProvider pgid={props.pgid} cgid={props.chatbot.gid} fid={props.fid}>
            <Layout {...props} />
          </CommentsProvider>
        </ReactFlowProvider>
      </ActionsProvider>
    </EditorProvider>
  )
}

/** a pasted picture is small, and its block appears once it is there */
const UNWATCHED = { onProgress: () => undefined, signal: new AbortController().signal }
const NO_FLOWS: readonly ListedFlow[] = []

function Layout({ pgid, chatbot, fid }: BuilderProps) {
  const editor = useEditor()
  const { store, document: flow, readOnly } = editor
  const { t } = useTranslation('builder')
  const { data: listed } = useQuery(flowsQuery(pgid, chatbot.gid))
  const flows = listed ?? NO_FLOWS
  const problems = useProblems(listed ?? null, fid)
  const scope = useFlowScopeValue(pgid, flows, fid)
  const openFlow = useOpenFlow(pgid, chatbot)
  const isMain = fid === chatbot.fid
  const empty = useProjection((projection) => projection.groups.size === 0)
  const selection = useCanvasState((state) => state.selection)
  const selected = selection.blocks.size + selection.groups.size > 0
  const dragging = useCanvasState(({ moving, sketch }) => moving.size > 0 || sketch?.marquee !== undefined)
  const [testing, setTesting] = useState(false)
  const { store: connection } = useFlow()
  const [importing, setImporting] = useState(false)
  const [panel, setPanel] = useState<string | null>(null)
  const [comparing, compare] = useState<Comparison | null>(null)
  const [palette, setPalette] = useState(() => !isSmall())
  const settings = selected && !dragging
  const params = { pgid, cgid: chatbot.gid, fid }
  usePruneSelection(editor)
  useProblemMarks(problems)
  useStatisticsMarks({ pgid, chatbot, fid, panel })
  const tidyImport = useTidyImport(useAutoLayout())
  usePreload()

  const { settingsInFront, testInFront, bringForward } = useFront(settings, testing, panel)
  const showPlace = useShowPlace(chatbot, fid, openFlow, (place) => place.keepPanel && bringForward('panel'))
  useRepairNotice(fid, showPlace)
  useChatbotNews(pgid, chatbot.gid)
  const panelHidden = settingsInFront || (testing && testInFront)
  const openPanel = useCallback(
    (id: string | null) => {
      setPanel(id === panel && !(panelHidden && isNarrow()) ? null : id)
      bringForward('panel')
    },
    [panel, panelHidden, bringForward],
  )
  const showPanel = useCallback(
    (id: string) => {
      setPanel(id)
      bringForward('panel')
    },
    [bringForward],
  )
  const builder = useMemo<BuilderValue>(
    () => ({
      pgid,
      chatbot,
      fid,
      flows,
      problems,
      showPlace,
      openFlow,
      panel,
      openPanel,
      showPanel,
      compare,
      whenSaved: () => whenSaved(connection),
    }),
    [pgid, chatbot, fid, flows, problems, showPlace, openFlow, panel, openPanel, showPanel, connection],
  )
  useCompareActions(chatbot.published?.version ?? null, compare)
  const showTest = () => {
    setTesting(true)
    bringForward('test')
  }
  const bug = useDebugger({ pgid, chatbot, fid, testing, onTest: showTest })
  const closeTest = () => {
    setTesting(false)
    bug.leave()
  }
  const { onRescue, ...rescue } = useRescue()
  const whole = isMain && flows.length > 1
  const save = async () => {
    const file = whole ? await whenSaved(connection).then(() => callRoute(exportFlow, { params })) : flow.toFlow()
    downloadText(serialiseFlow(file), `${chatbot.slug}.parley.json`)
  }
  return (
    <BuilderContext.Provider value={builder}>
      {comparing && (
        <Suspense fallback={null}>
          <CompareView shown={comparing} onShow={compare} />
        </Suspense>
      )}
      {/* it stays while one compares, with the running test; its canvas does not, since that hears the keys of the whole window */}
      <div className={styles.builder} hidden={comparing !== null}>
        <BuilderHeader
          name={chatbot.name}
          onRescue={onRescue}
          back={`/projects/${pgid}/chatbots`}
          testing={testing}
          onTest={() => (testing ? closeTest() : showTest())}
          onImport={() => setImporting(true)}
          onExport={() => void save().catch((error) => notify.error(failureText(error, t('load.failed'))))}
          exportLabel={t(whole ? 'header.exportAll' : 'header.export')}
          flows={
            <FlowSwitcher
              pgid={pgid}
              cgid={chatbot.gid}
              flows={flows}
              current={fid}
              readOnly={readOnly}
              onOpen={openFlow}
            />
          }
          panels={<PanelEntries className={header.inMenu} />}
          publish={
            readOnly ? null : (
              <PublishButton
                onShowTests={() => {
                  store.setState({ selection: nothingSelected })
                  setPanel('tests')
                }}
              />
            )
          }
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
            <LayoutProgress />
            {!comparing && (
              <Canvas key={fid} onImport={readOnly ? null : () => setImporting(true)} tool={COMMENT_TOOL} />
            )}
            {!comparing && <CommentLayer key={`comments ${fid}`} />}
          </div>
          {settings && (
            <FlowScopeProvider value={scope}>
              <SidePanel
                label={t('panel.label')}
                name="settings"
                initial={340}
                behind={(testing || panel !== null) && !settingsInFront}
              >
                {testing && testInFront ? (
                  <BackTo onClick={showTest}>{t('preview.back')}</BackTo>
                ) : (
                  panel !== null && (
                    <BackTo onClick={() => bringForward('panel')}>
                      {t('panel.back', { panel: t(`panels.${panel}`) })}
                    </BackTo>
                  )
                )}
                {/* texts that are still on their way hold up the settings alone, not the canvas */}
                <Suspense fallback={<LoadingState rows={3} />}>
                  <Inspector />
                </Suspense>
              </SidePanel>
            </FlowScopeProvider>
          )}
          <OpenPanel behind={panelHidden} />
          {testing && (
            <SidePanel
              label={t('preview.label')}
              name="test"
              initial={380}
              behind={settingsInFront || (panel !== null && !testInFront)}
            >
              <BuilderPreview
                chatbot={chatbot}
                fid={fid}
                flows={flows}
                bug={bug}
                onOpen={openFlow}
                onShown={showTest}
                onClose={closeTest}
              />
            </SidePanel>
          )}
          <PanelRail />
        </div>
        <StrandedEdits pgid={pgid} chatbot={chatbot} {...rescue} />
        <TemplateDialog />
        <CommandPalette />
        <ImportDialog
          opened={importing}
          params={params}
          empty={empty}
          onClose={() => setImporting(false)}
          onImporting={tidyImport.begin}
          onImported={() => {
            store.setState({ selection: nothingSelected })
            tidyImport.end()
          }}
        />
      </div>
    </BuilderContext.Provider>
  )
}

/**
 * Where the settings and another panel do not fit beside each other, one stands in front: the settings as soon as one selects
 * something on the canvas, the test or the panel that was opened or led somewhere last.
 */
function useFront(settings: boolean, testing: boolean, panel: string | null) {
  const { store } = useEditor()
  const selection = useCanvasState((state) => state.selection)
  const [front, setFront] = useState<{ is: 'test' | 'panel'; selection: Selection } | null>(null)
  return {
    settingsInFront: settings && front?.selection !== selection,
    testInFront: testing && (front?.is !== 'panel' || panel === null),
    bringForward: useCallback(
      (is: 'test' | 'panel') => setFront({ is, selection: store.getState().selection }),
      [store],
    ),
  }
}

/** Leads to another flow of the chatbot, once what was done in this one is stored. */
function useOpenFlow(pgid: string, chatbot: Chatbot): (fid: string) => void {
  const { t } = useTranslation('builder')
  const { store } = useFlow()
  const { reread } = useFlowChanges(pgid, chatbot.gid)
  const [, setSearch] = useSearchParams()
  return (next) => {
    void whenSaved(store).then(() => {
      if (store.getState().status === 'offline') return notify.error(t('flows.offline'))
      // go-to blocks of the next flow are offered what this one holds now
      void reread()
      setSearch(next === chatbot.fid ? {} : { flow: next })
    })
  }
}

function BackTo({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className={styles.backTo} onClick={onClick}>
      <ArrowLeft size={14} aria-hidden /> {children}
    </button>
  )
}

/** Once the builder stands, what may be opened next is fetched: so that it opens at once, and without a connection too. */
function usePreload() {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([loadPreview(), preloadForms()]), 1500)
    return () => clearTimeout(timer)
  }, [])
}
