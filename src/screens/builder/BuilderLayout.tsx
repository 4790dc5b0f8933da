import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { serialiseFlow } from '../../../engine/flow/canonical'
import { exportFlow, type ListedFlow } from '../../../server/contracts/flows'
import { useAccount } from '../../api/account'
import { useChannelCapabilities } from '../../api/channels'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { flowsQuery } from '../../api/flows'
import { lazyPart } from '../../api/lazyPart'
import { useSecretNames } from '../../api/secrets'
import { LayoutProgress } from '../../canvas/autoLayout/LayoutProgress'
import { useAutoLayout } from '../../canvas/autoLayout/useAutoLayout'
import { Canvas } from '../../canvas/Canvas'
import { nothingSelected } from '../../canvas/canvasStore'
import { useCanvasState, useEditor, useProjection } from '../../canvas/context'
import { Palette } from '../../canvas/Palette'
import { PublicationState } from '../../chatbots/PublicationState'
import { useFlow } from '../../collab/useFlow'
import { CommentLayer } from '../../comments/CommentLayer'
import { CommentTool } from '../../comments/CommentTool'
import { FlowScopeProvider } from '../../text/flowScope'
import { downloadText } from '../../ui/downloadText'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import styles from './Builder.module.css'
import { BuilderHeader } from './BuilderHeader'
import header from './BuilderHeader.module.css'
import { BuilderPreview } from './BuilderPreview'
import { BuilderContext, type BuilderValue } from './builderContext'
import type { BuilderProps } from './builderProps'
import { CommandPalette } from './CommandPalette'
import { ContactVariables } from './ContactVariables'
import type { Comparison } from './compare/comparison'
import { useCompareActions } from './compare/useCompareActions'
import { FlowSwitcher } from './FlowSwitcher'
import { useFlowScopeValue } from './flowScopeValue'
import { ImportDialog } from './ImportDialog'
import { Inspector } from './Inspector'
import { PublishButton } from './PublishButton'
import { OpenPanel } from './panels/OpenPanel'
import { PanelEntries, PanelRail } from './panels/PanelRail'
import { useStatisticsMarks } from './panels/statistics/useStatistics'
import { useProblemMarks } from './problemMarks'
import { usePruneSelection } from './pruneSelection'
import { useRepairNotice } from './RepairNotice'
import { SetupSteps } from './SetupSteps'
import { SidePanel } from './SidePanel'
import { StrandedEdits } from './StrandedEdits'
import { useShowPlace } from './showPlace'
import { TemplateDialog } from './TemplateDialog'
import { useTidyImport } from './tidyImport'
import { Tour } from './tour/Tour'
import { useAskedBlock } from './useAskedBlock'
import { useChatbotNews } from './useChatbotNews'
import { useDebugger } from './useDebugger'
import { useDraftState } from './useDraftState'
import { useFront } from './useFront'
import { useOpenFlow } from './useOpenFlow'
import { usePreload } from './usePreload'
import { useProblems } from './useProblems'
import { useRescue } from './useRescue'
import { whenSaved } from './whenSaved'

/** two panels do not fit beside the canvas: SidePanel.module.css */
const isNarrow = () => window.matchMedia('(max-width: 1599px)').matches
const isSmall = () => window.matchMedia('(max-width: 760px)').matches
const COMMENT_TOOL = <CommentTool />
const CompareView = lazyPart(async () => ({ default: (await import('./compare/CompareView')).CompareView }))

const NO_FLOWS: readonly ListedFlow[] = []

/** The layout of the builder's parts, and which of them are open. */
export function BuilderLayout({ pgid, chatbot, fid }: BuilderProps) {
  const editor = useEditor()
  const { store, document: flow, readOnly } = editor
  const { t } = useTranslation('builder')
  const { data: listed } = useQuery(flowsQuery(pgid, chatbot.gid))
  const flows = listed ?? NO_FLOWS
  const scope = useFlowScopeValue(pgid, chatbot.gid, flows, fid)
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
  const editing = useCanvasState((state) => state.editing !== null)
  // a small screen has no room for both
  const settings = selected && !dragging && !(editing && isSmall())
  const params = { pgid, cgid: chatbot.gid, fid }
  usePruneSelection(editor)
  useStatisticsMarks({ pgid, chatbot, fid, panel })
  const tidyImport = useTidyImport(useAutoLayout())
  usePreload()

  const { settingsInFront, testInFront, bringForward } = useFront(settings, testing, panel)
  const showPlace = useShowPlace(chatbot, fid, openFlow, (place) => place.keepPanel && bringForward('panel'))
  useRepairNotice(fid, showPlace)
  useAskedBlock(isMain ? null : fid, showPlace)
  useChatbotNews(pgid, chatbot.gid)
  useDraftState(pgid, chatbot)
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
  const showTest = () => {
    setTesting(true)
    bringForward('test')
  }
  const bug = useDebugger({ pgid, chatbot, fid, testing, onTest: showTest })
  const onWhatsapp = useStore(bug.store, ({ look }) => testing && look !== 'web')
  const channels = useChannelCapabilities(pgid, chatbot.gid, onWhatsapp ? 'whatsapp' : null)
  const problems = useProblems(listed ?? null, fid, useSecretNames(pgid), useAccount().mail_server, channels)
  useProblemMarks(problems)
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
      {comparing && <CompareView shown={comparing} onShow={compare} />}
      {/* a comparison keeps the preview mounted, with its running test, but not the canvas, which listens to keys */}
      <div className={styles.builder} hidden={comparing !== null}>
        <BuilderHeader
          name={chatbot.name}
          state={<PublicationState chatbot={chatbot} />}
          onRescue={onRescue}
          back={`/projects/${pgid}/chatbots`}
          testing={testing}
          onTest={() => (testing ? closeTest() : showTest())}
          onImport={() => setImporting(true)}
          onExport={() => void save().catch((error) => notify.error(failureText(error, t('load.failed'))))}
          translations={`/projects/${pgid}/chatbots/${chatbot.gid}/builder/translations`}
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
        <div className={styles.work} data-palette={(palette && !readOnly) || undefined}>
          {palette && !readOnly && (
            <aside className={styles.palette} data-tour="palette" aria-label={t('palette.label')}>
              <Palette onAdded={() => isSmall() && setPalette(false)} />
            </aside>
          )}
          <div className={styles.stage} data-tour="canvas">
            {!readOnly && (
              <div className={styles.corner} data-open={palette || undefined}>
                <IconButton
                  className={styles.toggle}
                  data-tour="palette-button"
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
              <FlowScopeProvider value={scope}>
                <Canvas key={fid} onImport={readOnly ? null : () => setImporting(true)} tool={COMMENT_TOOL} />
              </FlowScopeProvider>
            )}
            {!comparing && <CommentLayer key={`comments ${fid}`} />}
            <SetupSteps />
            {!comparing && <Tour />}
            {!comparing && <ContactVariables />}
          </div>
          {settings && (
            <FlowScopeProvider value={scope}>
              <SidePanel
                label={t('panel.label')}
                tour="settings"
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
                {/* while texts load, only the settings suspend, not the canvas */}
                <Suspense fallback={<LoadingState rows={3} />}>
                  <Inspector />
                </Suspense>
              </SidePanel>
            </FlowScopeProvider>
          )}
          <OpenPanel behind={panelHidden} />
          {testing && (
            <SidePanel label={t('preview.label')} behind={settingsInFront || (panel !== null && !testInFront)}>
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

function BackTo({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className={styles.backTo} onClick={onClick}>
      <ArrowLeft size={14} aria-hidden /> {children}
    </button>
  )
}
