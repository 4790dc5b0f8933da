import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Medium } from '../../../engine/values/mediaFile'
import { failureText } from '../../api/failure'
import { uploadFile } from '../../api/files'

/** Uploads one file to the project at a time. */
export function useProjectUpload(pgid: string) {
  const { t } = useTranslation()
  const running = useRef<AbortController>(undefined)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  return {
    sending,
    problem,
    /** @param then is given the file's id; it goes on as long as that takes, and what it throws is the problem */
    async send(file: File, medium: Medium, then: (gid: string) => unknown): Promise<void> {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      setSending(true)
      setProblem(null)
      try {
        const url = await uploadFile(pgid, file, medium, { onProgress: () => {}, signal: own.signal })
        await then(url.slice('/files/'.length))
      } catch (failure) {
        if (!own.signal.aborted) setProblem(failureText(failure, t('errors.message')))
      } finally {
        if (!own.signal.aborted) setSending(false)
      }
    },
  }
}
