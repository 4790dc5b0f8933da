import { useEffect, useRef, useState } from 'react'
import type { HttpAnswer, HttpCall } from '../../engine/effects/http'
import { useFlowScope } from '../../src/text/flowScope'

export type TestState =
  | { step: 'idle' }
  | { step: 'sending' }
  | { step: 'answered'; answer: HttpAnswer }
  | { step: 'failed'; problem: string }

/** Sends one test request at a time, from the server. null without permission. */
export function useTestRequest() {
  const { sendTestRequest } = useFlowScope()
  const [state, setState] = useState<TestState>({ step: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  if (!sendTestRequest) return null

  const send = async (request: HttpCall | { problem: string }) => {
    running.current?.abort()
    if ('problem' in request) return setState({ step: 'failed', problem: request.problem })
    running.current = new AbortController()
    const { signal } = running.current
    setState({ step: 'sending' })
    const next = await sendTestRequest(request, signal).then(
      (answer): TestState => ({ step: 'answered', answer }),
      (error: unknown): TestState => ({
        step: 'failed',
        problem: error instanceof Error ? error.message : String(error),
      }),
    )
    if (!signal.aborted) setState(next)
  }
  const cancel = () => {
    running.current?.abort()
    setState({ step: 'idle' })
  }
  return { state, send: (request: HttpCall | { problem: string }) => void send(request), cancel }
}
