import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { INSTRUCTIONS_CAP, type Instructions } from '../../../server/contracts/instructions'
import { ApiFailure } from '../../api/failure'
import { instructionsQuery, useSaveInstructions } from '../../api/instructions'

/** The draft of the instructions, over the saved text. */
export interface Draft {
  text: string
  write: (text: string) => void
  changed: boolean
  tooLong: boolean
  saving: boolean
  /** what prevents saving; null: nothing */
  error: unknown
  /** somebody else has saved since this draft was started */
  overtaken: boolean
  /** shows both texts for a decision */
  conflict: boolean
  save: () => void
  /** restores an older version; unsaved changes are lost */
  restore: (text: string, onDone: () => void) => void
  openConflict: () => void
  closeConflict: () => void
  /** overwrites the other text, which stays in the versions */
  keepMine: () => void
  /** takes the other text; the draft can be restored */
  takeTheirs: () => void
  /** the draft given up for the other text; null: none */
  setAside: string | null
  bringBack: () => void
}

/** @param saved the server's text, which may change during editing */
export function useDraft(pgid: string, cgid: string, saved: Instructions): Draft {
  const queries = useQueryClient()
  const saving = useSaveInstructions(pgid, cgid)
  /** the text that the draft started with */
  const [base, setBase] = useState(saved.text)
  const [text, setText] = useState(saved.text)
  const [conflict, setConflict] = useState(false)
  const [setAside, setSetAside] = useState<string | null>(null)
  const changed = text !== base
  const overtaken = saved.text !== base
  useEffect(() => {
    // without changes, a newer text is taken at once
    if (changed || !overtaken) return
    setBase(saved.text)
    setText(saved.text)
  }, [changed, overtaken, saved.text])

  const send = (wanted: string, was: string, onDone?: () => void) =>
    saving.mutate(
      { text: wanted, was },
      {
        onSuccess: ({ text: now }) => {
          setBase(now)
          setConflict(false)
          onDone?.()
        },
        onError: async (error) => {
          if (!isConflict(error)) return
          await queries.invalidateQueries({ queryKey: instructionsQuery(pgid, cgid).queryKey })
          setConflict(true)
        },
      },
    )
  return {
    text,
    write(next) {
      if (saving.error) saving.reset()
      setText(next)
    },
    changed,
    tooLong: text.length > INSTRUCTIONS_CAP,
    saving: saving.isPending,
    error: isConflict(saving.error) ? null : saving.error,
    overtaken: overtaken && changed,
    conflict,
    save() {
      if (changed && text.length <= INSTRUCTIONS_CAP && !saving.isPending) send(text, base)
    },
    restore: (wanted, onDone) =>
      send(wanted, saved.text, () => {
        setText(wanted)
        onDone()
      }),
    openConflict: () => setConflict(true),
    closeConflict: () => setConflict(false),
    keepMine: () => send(text, saved.text),
    takeTheirs() {
      setSetAside(text)
      setBase(saved.text)
      setText(saved.text)
      setConflict(false)
    },
    setAside,
    bringBack() {
      if (setAside !== null) setText(setAside)
      setSetAside(null)
    },
  }
}

const isConflict = (error: unknown) => error instanceof ApiFailure && error.code === 'conflict'
