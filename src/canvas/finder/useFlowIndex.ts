import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Editor, useEditor, useKindTexts } from '../context'
import { createFlowIndex, type FlowIndex } from './flowIndex'

const indexes = new WeakMap<Editor['document'], { language: string; index: FlowIndex }>()

/** The index of the open flow: one for all that search it, so that it is read once. */
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

/** milliseconds at a time: no frame is late for it */
const SLICE = 6
const PAUSE = 40

/** Reads the flow into the index while nothing else is to be done: the first search of a large flow is then as quick as the next. */
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
