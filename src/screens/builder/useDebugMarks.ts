import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useEditor } from '../../canvas/context'
import type { Mark } from '../../canvas/marks'
import { showMarks } from '../../canvas/showMarks'
import type { Debugger } from '../../preview/debugger'

/** Marks on the canvas: breakpoints, the pause and the shown turn. */
export function useDebugMarks(bug: Debugger, flowId: string | null): void {
  const { store } = useEditor()
  const { t } = useTranslation('preview')
  const breakpoints = useStore(bug.store, (state) => state.breakpoints)
  const debug = useStore(bug.store, (state) => state.debug)
  const lookingAt = useStore(bug.store, (state) => state.lookingAt)
  const layer = useMemo(() => {
    const marks = new Map<string, Mark>()
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
  }, [debug, lookingAt, breakpoints, flowId, t])
  useEffect(() => {
    showMarks(store, 'breakpoints', layer)
    return () => showMarks(store, 'breakpoints', null)
  }, [store, layer])
}
