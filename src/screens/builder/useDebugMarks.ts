import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChannelCapabilities } from '../../../engine/flow/capabilities'
import { channelCapabilities } from '../../../server/contracts/channels'
import { useEditor, useProjection } from '../../canvas/context'
import type { Mark } from '../../canvas/marks'
import { showMarks } from '../../canvas/showMarks'
import type { Debugger } from '../../preview/debugger'

/** Capabilities of the preview's WhatsApp look. */
const whatsapp: ChannelCapabilities = channelCapabilities.whatsapp

/** Marks on the canvas: breakpoints, the pause, the shown turn, and what WhatsApp does not support. */
export function useDebugMarks(bug: Debugger, flowId: string | null): void {
  const { store, registry } = useEditor()
  const { t } = useTranslation('preview')
  const breakpoints = useStore(bug.store, (state) => state.breakpoints)
  const debug = useStore(bug.store, (state) => state.debug)
  const lookingAt = useStore(bug.store, (state) => state.lookingAt)
  const onWhatsApp = useStore(bug.store, (state) => state.look !== 'web' && state.debug !== null)
  const blocks = useProjection((projection) => (onWhatsApp ? projection.blocks : null))
  const layer = useMemo(() => {
    const marks = new Map<string, Mark>()
    for (const block of blocks?.values() ?? []) {
      const wants = registry.find(block.kind)?.wants
      if (wants && !whatsapp.features.includes(wants))
        marks.set(block.id, { tone: 'warning', label: t('marks.webOnly') })
    }
    const steps = debug?.path.filter(({ turn }) => turn === lookingAt) ?? []
    for (const [index, step] of steps.entries()) {
      if (step.flowId !== flowId || marks.get(step.blockId)?.tone === 'info') continue
      const text = String(index + 1)
      marks.set(step.blockId, { tone: 'info', text, label: t('marks.turn', { n: text }) })
    }
    for (const { flowId: of, blockId } of breakpoints) {
      if (of === flowId) marks.set(blockId, { tone: 'breakpoint', label: t('marks.breakpoint') })
    }
    if (debug?.paused?.flowId === flowId && debug.paused) {
      marks.set(debug.paused.blockId, { tone: 'paused', label: t('marks.paused') })
    }
    return marks.size > 0 ? { blocks: marks } : null
  }, [blocks, registry, debug, lookingAt, breakpoints, flowId, t])
  useEffect(() => {
    showMarks(store, 'breakpoints', layer)
    return () => showMarks(store, 'breakpoints', null)
  }, [store, layer])
}
