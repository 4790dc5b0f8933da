import { useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Registry } from '../../../engine/flow/registry'
import { fingerprint } from '../../../engine/translations/fingerprint'
import { parseMarkup } from '../../../engine/translations/markup'
import { type PlannedTranslation, refusal } from '../../../engine/translations/planImport'
import { translationOf } from '../../../engine/translations/textRows'
import type { Languages } from '../../../engine/translations/translation'
import type { OpenFlow } from '../../collab/flowState'
import type { ListedText, OpenedFlow } from './useTexts'

export interface Edits {
  /** Writes what was typed. @returns what its block would refuse, in a sentence; null: it is written */
  write(text: ListedText, language: string, markup: string): string | null
  /** The translation is right as it stands. */
  confirm(text: ListedText, language: string): void
  /** Many at once, one step of undo in each flow. */
  apply(changes: readonly PlannedTranslation[]): void
  setLanguages(languages: Languages): void
  /** null: there is nothing to take back, or to do again */
  undo: (() => void) | null
  redo: (() => void) | null
}

/** What one does to the translations of several flows, undone in the order in which it was done. */
export function useEdits(flows: readonly OpenedFlow[], registry: Registry): Edits {
  /** the flows that each step changed, the newest last */
  const steps = useRef<{ done: OpenFlow[][]; undone: OpenFlow[][] }>({ done: [], undone: [] })
  const [lengths, setLengths] = useState({ done: 0, undone: 0 })
  const edits = useMemo(() => {
    const told = () => setLengths({ done: steps.current.done.length, undone: steps.current.undone.length })
    const did = (...changed: OpenFlow[]) => {
      steps.current.done.push(changed)
      steps.current.undone = []
      told()
    }
    const take = (from: 'done' | 'undone', to: 'done' | 'undone', act: 'undo' | 'redo') => {
      const step = steps.current[from].pop()
      if (!step) return
      for (const flow of step) flow[act]()
      steps.current[to].push(step)
      told()
    }
    const main = flows.find(({ isMain }) => isMain)
    return {
      write({ flow, row, names }: ListedText, language: string, markup: string) {
        const { commands } = flow.open.document
        const set = (translation: Parameters<typeof commands.setTranslation>[3]) => {
          commands.setTranslation(row.block.id, language, row.place, translation)
          did(flow.open)
        }
        if (markup.trim() === '') {
          if (translationOf(row, language)) set(null)
          return null
        }
        const { text } = parseMarkup(markup, Array.isArray(row.text) ? 'rich' : 'line', names.idOf)
        const message = refusal(row, text, registry)
        if (message !== null) return message
        set({ text, of: fingerprint(row.text) })
        return null
      },
      confirm({ flow, row }: ListedText, language: string) {
        const present = translationOf(row, language)
        if (!present) return
        const translation = { text: present.text, of: fingerprint(row.text) }
        flow.open.document.commands.setTranslation(row.block.id, language, row.place, translation)
        did(flow.open)
      },
      apply(changes: readonly PlannedTranslation[]) {
        const changed = flows.filter(({ fid }) => changes.some(({ flow }) => flow === fid))
        for (const { fid, open } of changed)
          open.document.commands.batch(() => {
            for (const { flow, blockId, language, place, translation } of changes)
              if (flow === fid) open.document.commands.setTranslation(blockId, language, place, translation)
          })
        if (changed.length > 0) did(...changed.map(({ open }) => open))
      },
      setLanguages(languages: Languages) {
        main?.open.document.commands.setLanguages(languages)
        if (main) did(main.open)
      },
      undo: () => take('done', 'undone', 'undo'),
      redo: () => take('undone', 'done', 'redo'),
    }
  }, [flows, registry])
  return {
    ...edits,
    undo: lengths.done > 0 ? edits.undo : null,
    redo: lengths.undone > 0 ? edits.redo : null,
  }
}

/** How the flows are stored: the least good state of all. */
export function useSaveState(flows: readonly OpenedFlow[]): string {
  const subscribe = (listener: () => void) => {
    const stops = flows.map(({ open }) => open.store.subscribe(listener))
    return () => {
      for (const stop of stops) stop()
    }
  }
  const read = () => {
    const states = flows.map(({ open }) => open.store.getState())
    const status = ['refused', 'offline', 'connecting', 'saving'].find((one) =>
      states.some((state) => state.status === one),
    )
    return status ?? 'saved'
  }
  return useSyncExternalStore(subscribe, read, read)
}
