import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DocumentType, sourceCaps } from '../../../../server/contracts/sources'
import { failureText } from '../../../api/failure'
import { type ChatbotPlace, useAddSources } from '../../../api/sources'
import { formatBytes } from '../../../i18n/format'
import { isOfType } from './documentFiles'

export interface SentFile {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  /** the progress, from 0 to 1 */
  part: number
  reason: string | null
  /** false if the file itself is invalid */
  mayRetry: boolean
}

/** concurrent uploads */
const AT_ONCE = 2

/** Uploads documents, two at a time, and tracks their state. Leaving the page aborts running uploads. */
export function useUploads(place: ChatbotPlace, types: readonly DocumentType[]) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const { document } = useAddSources(place)
  const [files, setFiles] = useState<SentFile[]>([])
  const lastId = useRef(0)
  const calls = useRef(new Map<number, AbortController>())
  useEffect(() => {
    const running = calls.current
    return () => {
      for (const call of running.values()) call.abort()
    }
  }, [])

  const change = (id: number, part: Partial<SentFile>) =>
    setFiles((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)))

  const send = async ({ id, file }: SentFile) => {
    const call = new AbortController()
    calls.current.set(id, call)
    change(id, { state: 'sending', part: 0, reason: null })
    try {
      await document.mutateAsync({ file, signal: call.signal, onProgress: (part) => change(id, { part }) })
      change(id, { state: 'sent', part: 1 })
    } catch (error) {
      if (!call.signal.aborted)
        change(id, { state: 'failed', mayRetry: true, reason: failureText(error, common('errors.message')) })
    } finally {
      calls.current.delete(id)
    }
  }
  // starts the next one when one is done
  useEffect(() => {
    const free = AT_ONCE - files.filter(({ state }) => state === 'sending').length
    const next = files.filter(({ id, state }) => state === 'waiting' && !calls.current.has(id))
    for (const file of next.slice(0, Math.max(0, free))) void send(file)
  })

  const problemOf = ({ name, type, size }: File): string | null => {
    if (!isOfType({ name, type }, types)) return t(types.length > 1 ? 'document.otherType' : 'document.notPdf')
    if (size === 0) return t('document.empty')
    if (size > sourceCaps.document)
      return t('document.tooLarge', { size: formatBytes(size), max: formatBytes(sourceCaps.document) })
    return null
  }
  return {
    files,
    add: (chosen: File[]) =>
      setFiles((all) => [
        ...all,
        ...chosen.map((file): SentFile => {
          const reason = problemOf(file)
          return { id: ++lastId.current, file, state: reason ? 'failed' : 'waiting', part: 0, reason, mayRetry: false }
        }),
      ]),
    retry: (id: number) => change(id, { state: 'waiting', reason: null }),
    remove: (id: number) => {
      calls.current.get(id)?.abort()
      setFiles((all) => all.filter((each) => each.id !== id))
    },
  }
}
