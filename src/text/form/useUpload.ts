import { useEffect, useRef, useState } from 'react'
import type { Medium } from '../../../engine/values/mediaFile'
import { useFlowScope } from '../flowScope'

export interface Upload {
  /** the file being uploaded, and the progress from 0 to 1 */
  sending: { name: string; part: number } | null
  /** the name of the last uploaded file */
  sent: string | null
  problem: string | undefined
  start: (file: File) => void
  cancel: () => void
}

/** Uploads one file at a time and passes its address to `onUploaded`. null without permission. */
export function useUpload(medium: Medium, onUploaded: (url: string) => void): Upload | null {
  const { uploadFile } = useFlowScope()
  const [state, setState] = useState<Pick<Upload, 'sending' | 'sent' | 'problem'>>(idle)
  const running = useRef<AbortController>(undefined)
  const uploaded = useRef(onUploaded)
  uploaded.current = onUploaded
  useEffect(() => () => running.current?.abort(), [])
  if (!uploadFile) return null

  const start = async (file: File) => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    const show = (part: number) => {
      if (!signal.aborted) setState({ ...idle, sending: { name: file.name, part } })
    }
    show(0)
    try {
      const url = await uploadFile(file, medium, { onProgress: show, signal })
      if (signal.aborted) return
      uploaded.current(url)
      setState({ ...idle, sent: file.name })
    } catch (error) {
      if (!signal.aborted) setState({ ...idle, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setState(idle)
  }
  return { ...state, start: (file) => void start(file), cancel }
}

const idle = { sending: null, sent: null, problem: undefined }
