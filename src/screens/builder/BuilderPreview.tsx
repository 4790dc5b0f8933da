import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Chatbot } from '../../../server/contracts/chatbots'
import type { ListedFlow } from '../../../server/contracts/flows'
import { lazyPart } from '../../api/lazyPart'
import { useEditor, useKindTexts, useProjection } from '../../canvas/context'
import { useFlow } from '../../collab/useFlow'
import type { Debugger } from '../../preview/debugger'
import { LoadingState } from '../../ui/LoadingState'
import { PanelBoundary } from './PanelBoundary'
import { useShowPlace } from './showPlace'
import { whenSaved } from './whenSaved'

const PreviewPane = lazyPart(() => import('../../preview/PreviewPane'), <LoadingState rows={3} />)

/** Preloads the preview, so that it opens offline, too. */
export const preloadPreview = PreviewPane.preload

interface BuilderPreviewProps {
  chatbot: Chatbot
  /** the open flow */
  fid: string
  flows: readonly ListedFlow[]
  bug: Debugger
  onOpen: (fid: string) => void
  /** called when a step is shown on the canvas: its settings stay in the background */
  onShown: () => void
  onClose: () => void
}

/** The preview of the whole chatbot, beside any of its flows. */
export function BuilderPreview(props: BuilderPreviewProps) {
  const { chatbot, fid, flows, bug, onOpen, onShown, onClose } = props
  const { t } = useTranslation('builder')
  const { document: flow, registry } = useEditor()
  const { store: connection } = useFlow()
  const kinds = useKindTexts()
  const draft = useRevision(fid)
  const own = useProjection((projection) => projection.languages)
  const languages = fid === chatbot.fid ? own : flows.find(({ is_main }) => is_main)?.languages
  const fidOf = (flowId: string | null) => flowId ?? chatbot.fid
  const titleOf = (flowId: string | null) => flows.find(({ gid }) => gid === fidOf(flowId))?.title ?? t('flows.gone')
  const show = useShowPlace(chatbot, fid, onOpen, onShown)

  const active = useStore(bug.store, ({ debug }) => debug?.active ?? debug?.paused)
  const elsewhere = active && fidOf(active.flowId) !== fid ? active : null
  const placeIn = (place: { flowId: string | null; blockId: string; groupId?: string }) => {
    if (fidOf(place.flowId) !== fid) return null
    const { groups, blocks } = flow.projection()
    const block = blocks.get(place.blockId)
    const group = groups.get(block?.groupId ?? place.groupId ?? '')
    return group ? { group, block } : null
  }
  return (
    <PanelBoundary message={t('preview.failed')}>
      <PreviewPane
        bug={bug}
        name={chatbot.name}
        draft={draft}
        languages={languages && languages.others.length > 0 ? languages : null}
        elsewhere={elsewhere && { title: titleOf(elsewhere.flowId), onOpen: () => onOpen(fidOf(elsewhere.flowId)) }}
        whenSaved={() => whenSaved(connection)}
        describe={({ flowId, groupId, blockId, kind, port }) => {
          if (fidOf(flowId) !== fid) {
            const known = flows.some(({ gid }) => gid === fidOf(flowId))
            return known ? { title: kinds.title(kind), group: titleOf(flowId), exit: null } : null
          }
          const { groups, blocks } = flow.projection()
          const block = blocks.get(blockId)
          if (!block) return null
          return {
            title: kinds.title(kind),
            group: groups.get(groupId)?.title ?? '',
            exit: registry.portsOf(block).find(({ id }) => id === port)?.label ?? null,
          }
        }}
        nameOf={(place) => {
          const here = placeIn(place)
          if (!here)
            return fidOf(place.flowId) === fid ? null : { title: '…', group: titleOf(place.flowId), exit: null }
          const { group, block } = here
          return { title: block ? kinds.title(block.kind) : '', group: group.title, exit: null }
        }}
        variablesOf={(flowId) => (fidOf(flowId) === fid ? flow.projection().variables : null)}
        onShow={({ flowId, blockId }) => show({ flowId, blockId })}
        onClose={onClose}
      />
    </PanelBoundary>
  )
}

/** A number that changes with each edit of the open flow, but not when another one is opened. */
function useRevision(fid: string): number {
  const projection = useProjection((whole) => whole)
  const last = useRef({ fid, projection, revision: 0 })
  if (last.current.fid !== fid) last.current = { fid, projection, revision: last.current.revision }
  else if (last.current.projection !== projection) {
    last.current = { fid, projection, revision: last.current.revision + 1 }
  }
  return last.current.revision
}
