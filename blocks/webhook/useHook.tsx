import { useCallback, useEffect, useState } from 'react'
import { useFlowScope } from '../../src/text/flowScope'
import type { HookState } from '../../src/text/hooks'

/** How often an open form looks for a call. */
const LOOK_AGAIN = 2_000

/** The address of a trigger and what was sent to it, kept up to date while the form is open. */
export function useHook(blockId: string) {
  const { hooks } = useFlowScope()
  const [state, setState] = useState<HookState | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const attempt = useCallback(async (work: () => Promise<HookState | undefined>) => {
    try {
      const next = await work()
      if (next) setState(next)
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }, [])
  const look = useCallback(() => attempt(async () => hooks?.open(blockId)), [attempt, hooks, blockId])
  const isLost = state === null && problem !== null

  useEffect(() => {
    // whoever is refused asks again by hand
    if (isLost) return
    let timer: number
    let isOver = false
    const again = async () => {
      if (document.visibilityState === 'visible') await look()
      if (!isOver) timer = window.setTimeout(again, LOOK_AGAIN)
    }
    void again()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [look, isLost])

  return {
    state,
    secret,
    problem,
    retry: () => setProblem(null),
    renew: () => void attempt(async () => hooks?.renew(blockId)),
    forget: () =>
      void attempt(async () => {
        await hooks?.forget(blockId)
        return hooks?.open(blockId)
      }),
    sign: (signed: boolean) =>
      void attempt(async () => {
        const made = await hooks?.sign(blockId, signed)
        setSecret(made?.secret ?? null)
        return made?.state
      }),
  }
}
