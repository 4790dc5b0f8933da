import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Editor, useEditor, useKindTexts } from '../context'
import { createFlowIndex, type FlowIndex } from './flowIndex'

const indexes = new WeakMap<Editor['document'], { language: string; index: FlowIndex }>()

/** The open flow's index, shared by all searches. */
export function useFlowIndex(): FlowIndex {
  const { document, registry } = useEditor()
  const kinds = useKindTexts()
  const { language } = useTranslation().i18n
  return useMemo(() => {
    const known = indexes.get(document)
    if (known?.language === language) return known.index
    const index = createFlowIndex(() => document.projection(), registry, kinds.title)
    indexes.set(document, { language, index })
    return index
  }, [document, registry, kinds, language])
}

/** milliseconds per slice, so that no frame is late */
const SLICE = 6
const PAUSE = 40

/** Indexes the flow in idle time, so that the first search of a large flow is fast, too. */
export function usePrepareFlowIndex(): void {
  const index = useFlowIndex()
  useEffect(() => {
    let timer = setTimeout(readOn, 1000)
    function readOn() {
      if (!index.prepare(SLICE)) timer = setTimeout(readOn, PAUSE)
    }
    return () => clearTimeout(timer)
  }, [index])
}
