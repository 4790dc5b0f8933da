import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SENT_FILE_CAP } from '../../../server/contracts/chat'
import { FILES_A_REPLY, sendReplyFile } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { formatNumber } from '../../i18n/format'
import { keepFiles, type ReplyFile, readFiles } from './drafts'

/** A file beside what is written: on its way, there, or refused. */
export interface WaitingFile {
  key: string
  name: string
  size: number
  /** from 0 to 1, how much of it has been sent */
  part: number
  /** its id on the server; null: not there yet */
  id: string | null
  /** sending it again may help */
  retry?: boolean
  problem: string | null
}
export interface ReplyFiles {
  all: readonly WaitingFile[]
  /** those that an answer can name */
  ready: readonly ReplyFile[]
  isBusy: boolean
  add: (files: readonly File[]) => void
  remove: (key: string) => void
  /** sends one again that did not arrive */
  again: (key: string) => void
  /** the answer has them: none wait any more */
  clear: () => void
  /** files of an answer that was taken back */
  putBack: (files: readonly ReplyFile[]) => void
}

const waiting = (file: ReplyFile): WaitingFile => ({ ...file, key: file.id, part: 1, problem: null })

/** Files for an answer: sent to the server as they are chosen, kept with the draft until the answer is sent. */
export function useReplyFiles(pgid: string, conversation: string): ReplyFiles {
  const { t } = useTranslation('inbox')
  const [all, setAll] = useState<readonly WaitingFile[]>(() => readFiles(conversation).map(waiting))
  const uploads = useRef(new Map<string, AbortController>())
  const failed = useRef(new Map<string, File>())
  useEffect(() => {
    const { current } = uploads
    return () => {
      for (const upload of current.values()) upload.abort()
    }
  }, [])
  useEffect(() => keepFiles(conversation, all.flatMap(readyOf)), [conversation, all])

  const change = useCallback((key: string, part: Partial<WaitingFile>) => {
    setAll((files) => files.map((file) => (file.key === key ? { ...file, ...part } : file)))
  }, [])

  async function upload(key: string, content: File): Promise<void> {
    const stop = new AbortController()
    uploads.current.set(key, stop)
    try {
      const { file } = await callRoute(sendReplyFile, {
        params: { pgid, conversation },
        query: { name: content.name.slice(-255) },
        file: { content, onProgress: (part) => change(key, { part }) },
        signal: stop.signal,
      })
      change(key, { id: file.id, name: file.name, size: file.size, part: 1 })
    } catch (error) {
      if (stop.signal.aborted) return
      failed.current.set(key, content)
      change(key, { problem: failureText(error, t('files.failed')), retry: true })
    } finally {
      uploads.current.delete(key)
    }
  }

  return {
    all,
    ready: all.flatMap(readyOf),
    isBusy: all.some(({ id, problem }) => id === null && problem === null),
    add(files) {
      const places = FILES_A_REPLY - all.length
      const added = files.map((file, at) => {
        const problem =
          at >= places
            ? t('files.tooMany', { count: FILES_A_REPLY })
            : file.size > SENT_FILE_CAP
              ? t('files.tooLarge', { size: formatNumber(SENT_FILE_CAP / 1_000_000) })
              : null
        return {
          file,
          shown: { key: crypto.randomUUID(), name: file.name, size: file.size, part: 0, id: null, problem },
        }
      })
      setAll((present) => [...present, ...added.map(({ shown }) => shown)])
      for (const { file, shown } of added) if (shown.problem === null) void upload(shown.key, file)
    },
    remove(key) {
      uploads.current.get(key)?.abort()
      failed.current.delete(key)
      setAll((files) => files.filter((file) => file.key !== key))
    },
    again(key) {
      const content = failed.current.get(key)
      if (!content) return
      failed.current.delete(key)
      change(key, { problem: null, part: 0, retry: false })
      void upload(key, content)
    },
    clear: () => setAll([]),
    putBack: (files) => setAll((present) => [...files.map(waiting), ...present]),
  }
}

const readyOf = ({ id, name, size, problem }: WaitingFile): ReplyFile[] =>
  id === null || problem !== null ? [] : [{ id, name, size }]
