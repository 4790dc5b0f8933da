import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { publishLook, saveLook } from '../../../server/contracts/web'
import { defaultLook, type Look, lookSchema } from '../../../server/contracts/web/look'
import { callRoute } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { lookQuery } from '../../api/look'
import { fieldErrors } from '../../api/validate'
import { changed, historyOf, redone, undone } from './history'

/** A look as the server has it. */
export interface SavedLook {
  draft: Look
  revision: number
  published: Look | null
  published_at: string | null
}

/** The look that is being worked on: saved by itself, undone step by step, published when asked. */
export interface LookDraft {
  look: Look
  saved: SavedLook
  /** what is wrong with a field, by its path */
  errors: Record<string, string>
  state: 'saved' | 'saving' | 'unsaved' | 'invalid'
  /** why the last save failed; null: it did not */
  error: unknown
  /** visitors see something else than the draft */
  isAhead: boolean
  /** somebody else has saved since: nothing is saved until one has chosen */
  conflict: boolean
  canUndo: boolean
  canRedo: boolean
  /** @param name what is changed: changes of one thing in a row are one step of undo */
  change: (name: string, recipe: (look: Look) => void) => void
  replace: (look: Look, name: string) => void
  undo: () => void
  redo: () => void
  retry: () => void
  takeTheirs: () => void
  keepMine: () => void
  /** back to what visitors see */
  discard: () => void
  /** Saves what is not saved yet, then lets visitors see it; false: it could not be saved. Throws ApiFailure. */
  publish: () => Promise<boolean>
}

/** How long nothing is changed before it is saved. */
const REST_MS = 500

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** @param server as it was loaded; what others save is found when one saves oneself */
export function useLookDraft(pgid: string, cgid: string, server: SavedLook): LookDraft {
  const queries = useQueryClient()
  const [history, setHistory] = useState(() => historyOf(server.draft))
  const [saved, setSaved] = useState(server)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [theirs, setTheirs] = useState<SavedLook | null>(null)
  const look = history.present
  const errors = same(look, saved.draft) ? NONE : fieldErrors(lookSchema, look)
  const isValid = Object.keys(errors).length === 0
  const isUnsaved = !same(look, saved.draft)
  /** what is on its way: publishing waits for it */
  const sending = useRef<Promise<SavedLook | null>>(Promise.resolve(null))

  const send = useCallback(
    (wanted: Look, revision: number): Promise<SavedLook | null> => {
      setBusy(true)
      setError(null)
      const sent = callRoute(saveLook, { params: { pgid, cgid }, body: { look: wanted, revision } }).then(
        (now) => {
          setSaved(now)
          queries.setQueryData(lookQuery(pgid, cgid).queryKey, now)
          return now
        },
        async (failure: unknown) => {
          if (failure instanceof ApiFailure && failure.code === 'conflict')
            setTheirs(await queries.fetchQuery({ ...lookQuery(pgid, cgid), staleTime: 0 }))
          else setError(failure)
          return null
        },
      )
      sending.current = sent.finally(() => setBusy(false))
      return sending.current
    },
    [pgid, cgid, queries],
  )

  const waits = isUnsaved && isValid && !busy && error === null && theirs === null
  const latest = useRef({ look, saved, isSavable: false })
  latest.current = { look, saved, isSavable: isUnsaved && isValid && theirs === null }
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => void send(look, saved.revision), REST_MS)
    return () => clearTimeout(timer)
  }, [waits, look, saved.revision, send])
  // who leaves the screen takes nothing along that was not saved
  useEffect(
    () => () => {
      const { look: wanted, saved: known, isSavable } = latest.current
      if (!isSavable) return
      void sending.current.then((now) => {
        if (!now || !same(now.draft, wanted)) void send(wanted, Math.max(now?.revision ?? 0, known.revision))
      })
    },
    [send],
  )

  const replace = (next: Look, name: string) => {
    setError(null)
    setHistory((before) => changed(before, next, name, performance.now()))
  }
  const seen = saved.published ?? defaultLook
  return {
    look,
    saved,
    errors,
    state: busy ? 'saving' : !isUnsaved ? 'saved' : isValid ? 'unsaved' : 'invalid',
    error,
    isAhead: !same(look, seen),
    conflict: theirs !== null,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change(name, recipe) {
      setError(null)
      setHistory((before) => {
        const next = structuredClone(before.present)
        recipe(next)
        return changed(before, next, name, performance.now())
      })
    },
    replace,
    undo: () => setHistory(undone),
    redo: () => setHistory(redone),
    retry: () => void send(look, saved.revision),
    takeTheirs() {
      if (!theirs) return
      setSaved(theirs)
      // one's own can be had back by undo
      setHistory((before) => changed(before, theirs.draft, 'theirs', performance.now()))
      setTheirs(null)
    },
    keepMine() {
      if (!theirs) return
      setSaved({ ...theirs, draft: theirs.draft })
      setTheirs(null)
      void send(look, theirs.revision)
    },
    discard: () => replace(seen, 'discard'),
    async publish() {
      let now: SavedLook | null = (await sending.current) ?? latest.current.saved
      if (!same(latest.current.look, now.draft)) now = await send(latest.current.look, now.revision)
      // why it could not be saved is said beside the state
      if (!now) return false
      now = await callRoute(publishLook, { params: { pgid, cgid }, body: { revision: now.revision } })
      setSaved(now)
      queries.setQueryData(lookQuery(pgid, cgid).queryKey, now)
      return true
    },
  }
}

const NONE: Record<string, string> = {}
